import type { AdvanceContext, AdvanceResult, MigrateCommand, WorkflowGraph } from '@countersign/model';
import { advance } from '../advance.js';
import { compileGraph, TestRun, user } from '../interpreter.spec.support.js';

export interface MigrationResult {
  /** The run after the migration, or the unchanged run if the migration was refused. */
  readonly run: TestRun;
  readonly result: AdvanceResult;
  /** Code and element of each reason for a refusal. */
  readonly refusals: readonly string[];
}

/**
 * Migrates a run to a graph, or to a process with the given elements. The resulting state is parsed from JSON, as if it
 * was loaded from storage.
 */
export async function migrateTo(
  run: TestRun,
  elementsOrGraph: string | WorkflowGraph,
  mapping: Record<string, string> = {},
  options: Partial<MigrateCommand> & Pick<AdvanceContext, 'claimedJobs'> = {},
): Promise<MigrationResult> {
  const { claimedJobs, ...rest } = options;
  const target = typeof elementsOrGraph === 'string' ? await compileGraph(elementsOrGraph) : elementsOrGraph;
  const command: MigrateCommand = {
    type: 'migrate',
    actor: user('otto'),
    workflowVersion: 2,
    workflowDigest: 'sha256:2',
    mapping,
    comment: null,
    ...rest,
  };
  const before = JSON.stringify(run.state);
  const result = advance(run.graph, run.state, command, {
    ...run.context(),
    target,
    ...(claimedJobs === undefined ? {} : { claimedJobs }),
  });
  if (JSON.stringify(run.state) !== before) throw new Error('advance() modified the state that it received.');
  const refusals = readErrors(result).map(({ code, pointer }) => `${code} ${pointer}`);
  const migratedRun = new TestRun(result.refusal === null ? target : run.graph);
  Object.assign(migratedRun, { now: run.now, policy: run.policy, separationOfDuties: run.separationOfDuties });
  migratedRun.state = JSON.parse(JSON.stringify(result.state)) as typeof result.state;
  migratedRun.events.push(...run.events, ...result.events);
  migratedRun.requests.push(...run.requests, ...result.requests);
  return { run: migratedRun, result, refusals };
}

function readErrors({ refusal }: AdvanceResult): { code: string; pointer: string }[] {
  return (refusal?.details?.['errors'] ?? []) as { code: string; pointer: string }[];
}

export const catchMessage = (id: string, name: string): string =>
  `<bpmn:intermediateCatchEvent id="${id}"><bpmn:messageEventDefinition messageRef="${name}"/></bpmn:intermediateCatchEvent>`;

const timerDefinition = (duration: string): string =>
  `<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">${duration}</bpmn:timeDuration></bpmn:timerEventDefinition>`;

export const catchTimer = (id: string, duration: string): string =>
  `<bpmn:intermediateCatchEvent id="${id}">${timerDefinition(duration)}</bpmn:intermediateCatchEvent>`;

export const boundaryTimer = (id: string, attachedTo: string, duration: string, interrupting = true): string =>
  `<bpmn:boundaryEvent id="${id}" attachedToRef="${attachedTo}" cancelActivity="${String(interrupting)}">${timerDefinition(duration)}</bpmn:boundaryEvent>`;

export const boundaryMessage = (id: string, attachedTo: string, name: string): string =>
  `<bpmn:boundaryEvent id="${id}" attachedToRef="${attachedTo}"><bpmn:messageEventDefinition messageRef="${name}"/></bpmn:boundaryEvent>`;

export const eventSubProcess = (id: string, name: string): string =>
  `<bpmn:subProcess id="${id}" triggeredByEvent="true"><bpmn:startEvent id="${id}_start" isInterrupting="false"><bpmn:messageEventDefinition messageRef="${name}"/></bpmn:startEvent>` +
  `<bpmn:endEvent id="${id}_end"/><bpmn:sequenceFlow id="${id}_flow" sourceRef="${id}_start" targetRef="${id}_end"/></bpmn:subProcess>`;

export const subProcess = (id: string, elements: string): string =>
  `<bpmn:subProcess id="${id}">${elements}</bpmn:subProcess>`;
