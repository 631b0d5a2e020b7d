import type { ElementInstance, FlowNode, MigrateCommand, RunState, Wait, WorkflowGraph } from '@countersign/model';
import { user } from '../interpreter.spec.support.js';
import { restoreIds, type Version, type Versions } from './versions.spec.support.js';
import { assertProperty } from './violation.spec.support.js';

/** A migration, and the facts that determine whether it must succeed. */
export interface Move {
  readonly command: MigrateCommand;
  readonly to: Version;
  /** Relation of the target to the current version of the run. */
  readonly kind: 'same' | 'renamed' | 'other';
  /** Jobs that a worker has claimed; `undefined` for all jobs. */
  readonly claimedJobs: ReadonlySet<string> | undefined;
}

/** Chooses a migration of a run. @param versions `null` if the workflow has only the current version of the run */
export function chooseMove(
  versions: Versions | null,
  from: Version,
  state: RunState,
  pick: number,
  variant: number,
): Move {
  const { to, kind } = chooseTarget(versions, from, pick);
  const mapping =
    kind === 'same'
      ? {}
      : kind === 'renamed'
        ? mapRenamedIds(from.graph, to.graph)
        : randomMapping(from.graph, to.graph, state, variant);
  return {
    command: {
      type: 'migrate',
      actor: user(variant % 3 === 0 ? 'ada' : 'otto'),
      workflowVersion: state.workflowVersion + 1,
      workflowDigest: `sha256:${state.workflowVersion + 1}`,
      mapping,
      comment: null,
    },
    to,
    kind,
    claimedJobs: variant % 4 === 0 ? undefined : new Set(),
  };
}

function chooseTarget(versions: Versions | null, from: Version, pick: number): Pick<Move, 'to' | 'kind'> {
  if (versions === null || pick % 4 === 0) return { to: from, kind: 'same' };
  const { first, renamed, other } = versions;
  if (from === other) return { to: pick % 4 === 1 ? renamed : first, kind: 'other' };
  return pick % 4 === 1 ? { to: from === first ? renamed : first, kind: 'renamed' } : { to: other, kind: 'other' };
}

function mapRenamedIds(from: WorkflowGraph, to: WorkflowGraph): Record<string, string> {
  const idsByOriginalId = new Map([...to.nodes.keys()].map((id) => [restoreIds(id), id]));
  return Object.fromEntries([...from.nodes.keys()].map((id) => [id, idsByOriginalId.get(restoreIds(id)) ?? id]));
}

/** Maps each element that has a token or can be compensated to an element of the same type, if one exists. */
function randomMapping(
  from: WorkflowGraph,
  to: WorkflowGraph,
  state: RunState,
  variant: number,
): Record<string, string> {
  const mapping: Record<string, string> = {};
  const isSameType = (source: FlowNode, target: FlowNode): boolean =>
    source.kind === target.kind && source.type === target.type && source.isForCompensation === target.isForCompensation;
  for (const [index, id] of listReferencedIds(state).entries()) {
    const node = from.nodes.get(id);
    const namesake = to.nodes.get(id);
    if (node === undefined || (namesake !== undefined && isSameType(node, namesake) && (variant + index) % 3 !== 0))
      continue;
    const scope = mapping[node.scopeId] ?? node.scopeId;
    const all = [...to.nodes.values()].filter((each) => isSameType(node, each));
    const inSameScope = all.filter((each) => each.scopeId === scope);
    const candidates = inSameScope.length > 0 ? inSameScope : all;
    const choice = candidates[(variant + index) % Math.max(candidates.length, 1)];
    if (choice !== undefined) mapping[id] = choice.id;
  }
  return mapping;
}

/** Returns the ids of the elements that the state of a run refers to, scopes before their contents. */
function listReferencedIds({ instances }: RunState): string[] {
  const ids = Object.values(instances).flatMap((each) => [
    each.elementId,
    ...Object.keys(each.joins ?? {}),
    ...Object.keys(each.resets ?? {}),
    ...(each.compensations ?? []).flatMap(({ elementId, handler }) => [
      elementId,
      ...(handler === null ? [] : [handler]),
    ]),
    ...(each.waits ?? []).flatMap((wait) => ('elementId' in wait ? [wait.elementId] : [])),
  ]);
  return [...new Set(ids)];
}

/** Returns whether a migration must be accepted. */
export function mustMigrationSucceed({ kind, claimedJobs }: Move, state: RunState): boolean {
  if (state.outcome !== null || state.cancelling === true || kind === 'other') return false;
  // If a decided approval could not be left, its decision must not apply to another approval.
  if (kind !== 'same' && Object.values(state.instances).some(({ incident }) => incident?.phase === 'leave'))
    return false;
  return kind === 'same' || claimedJobs !== undefined || !listWaits(state).some((wait) => wait.kind === 'job');
}

/**
 * Checks that migrating a run to the same or the renamed model preserves its state, except for approvals, jobs and
 * calls that are requested again.
 */
export function checkMigration({ kind }: Move, before: RunState, after: RunState): void {
  if (kind === 'other') return;
  const [jsonBefore, jsonAfter] = [before, after].map((state) =>
    restoreIds(
      JSON.stringify(Object.values(state.instances).map((each) => withoutRenewedWaits(withMergedCounts(each), kind))),
    ),
  );
  assertProperty(
    jsonBefore === jsonAfter,
    `a run that is migrated to the ${kind} model keeps its state\n${jsonBefore ?? ''}\n${jsonAfter ?? ''}\n`,
  );
}

/**
 * Merges the iteration counts of each element under both of its ids. If an earlier target lacked an element, its count
 * keeps the old id.
 */
function withMergedCounts({ iterations, ...rest }: ElementInstance): ElementInstance {
  if (iterations === undefined) return rest;
  const merged = new Map<string, number>();
  for (const [id, count] of Object.entries(iterations))
    merged.set(restoreIds(id), Math.max(count, merged.get(restoreIds(id)) ?? 0));
  return { ...rest, iterations: Object.fromEntries(merged) };
}

function withoutRenewedWaits(
  { waits = [], rounds: _rounds, variables, taints, agent, ...rest }: ElementInstance,
  kind: Move['kind'],
): unknown {
  // Tool calls that wait for a person, or that no worker has claimed, are evaluated again.
  if (agent !== undefined)
    return {
      ...rest,
      variables: null,
      agent: { ...agent, calls: agent.calls.map(({ callId }) => callId) },
      attached: waits.filter((wait) => 'elementId' in wait && wait.elementId !== rest.elementId),
    };
  // Approvals are reopened and jobs under another id are offered again, and their inputs are mapped again.
  const isRequestedAgain = waits.some(
    (wait) => wait.kind === 'approval' || (wait.kind === 'job' && kind === 'renamed'),
  );
  const isRenewed = (wait: Wait): boolean =>
    isRequestedAgain && (!('elementId' in wait) || (wait.kind === 'timer' && wait.purpose === 'approval'));
  // Renewed waits come after the waits that remain.
  const renewed = waits.filter(isRenewed).map(({ kind: renewedKind }) => ({ kind: renewedKind }));
  return {
    ...rest,
    variables: isRequestedAgain ? null : variables,
    taints: isRequestedAgain ? null : taints,
    waits: [...waits.filter((wait) => !isRenewed(wait)), ...renewed],
  };
}

function listWaits({ instances }: RunState): Wait[] {
  return Object.values(instances).flatMap((each) => each.waits ?? []);
}
