import type { Knex } from 'knex';
import type { JsonObject } from '@countersign/core/plugin';
import type { Page, PageRequest, PolicyDecisionFilter, PolicyDecisionRecord } from '@countersign/core/ports';
import { isJsonObject, type PolicyDecision } from '@countersign/model';
import { condition, type Condition } from './condition.js';
import { readPage, type KeyColumn, type PageBranch, type PageQuery } from './read-page.js';
import { isStorableId } from './storable.js';

/** Must match the partial indexes. */
const HAS_DECISION = `type IN ('step.started', 'step.migrated', 'agent.call.requested') AND (data -> 'policyDecision') IS NOT NULL`;
const DECISION = `data #>> '{policyDecision,decision}'`;
const RISK = `data #>> '{policyDecision,riskLevel}'`;
const IS_NOTABLE = `${HAS_DECISION} AND (${DECISION} <> 'allow' OR ${RISK} IN ('high', 'critical'))`;

const SEQ: KeyColumn = { sql: 'seq', type: 'integer' };
const BY_TIME: readonly KeyColumn[] = [{ sql: 'at', type: 'timestamptz' }, { sql: 'run_id', type: 'uuid' }, SEQ];

/**
 * Id of the workflow of a policy decision. The subquery forces a lookup per row, because the planner must not read all
 * runs of a workflow for one page.
 */
const WORKFLOW = '(SELECT r.workflow_id FROM runs r WHERE r.run_id = run_events.run_id)';

/** Join with the agent that proposed a call: the agent of the last turn before the call. */
const AGENT = `LEFT JOIN LATERAL (
    SELECT t.data ->> 'agent' AS agent FROM run_events t
    WHERE run_events.type = 'agent.call.requested' AND t.step_id = run_events.step_id AND t.run_id = run_events.run_id AND t.seq < run_events.seq
      AND (t.type LIKE 'agent.%' OR t.type LIKE 'question.%') AND t.type = 'agent.turn'
    ORDER BY t.seq DESC LIMIT 1
  ) AS turn ON true`;

interface PolicyDecisionRow {
  readonly run_id: string;
  readonly seq: number;
  readonly at: number;
  readonly step_id: string;
  readonly element_id: string;
  readonly data: JsonObject;
  readonly workflow_id: string;
  readonly agent: string | null;
}

/** Lists policy decisions, newest first. */
export async function listPolicyDecisions(
  knex: Knex,
  filter: PolicyDecisionFilter,
  page: PageRequest,
): Promise<Page<PolicyDecisionRecord>> {
  if (filter.runId !== undefined && !isStorableId(filter.runId)) return { items: [], nextCursor: null };
  const { rows, nextCursor } = await readPage(knex, buildPolicyDecisionQuery(filter), page);
  return { items: (rows as unknown as PolicyDecisionRow[]).map(toPolicyDecision), nextCursor };
}

export function buildPolicyDecisionQuery(filter: PolicyDecisionFilter): PageQuery {
  return {
    table: 'run_events',
    list: 'policy decisions',
    filter: filter as JsonObject,
    columns: ['run_id', 'seq', 'at', 'type', 'step_id', 'element_id', 'data'],
    branches: [buildBranch(filter)],
    key: filter.runId === undefined ? BY_TIME : [SEQ],
    direction: 'desc',
    extra: { column: `${WORKFLOW} AS workflow_id, turn.agent`, join: AGENT },
  };
}

function buildBranch({ decision, riskLevel, workflowId, runId, policyDigest }: PolicyDecisionFilter): PageBranch {
  const scanned: Condition[] = [];
  if (decision !== undefined) scanned.push(condition(`${DECISION} = ?`, decision));
  if (riskLevel !== undefined) scanned.push(condition(`${RISK} = ?`, riskLevel));
  if (policyDigest !== undefined) scanned.push(condition(`data #>> '{policyDecision,policyDigest}' = ?`, policyDigest));
  if (workflowId !== undefined) scanned.push(condition(`${WORKFLOW} = ?`, workflowId));
  // The events of a run are scanned by sequence number.
  if (runId !== undefined)
    return { pinned: [{ sql: 'run_id', type: 'uuid', value: runId }], scanned: [condition(HAS_DECISION), ...scanned] };
  const isNotable =
    (decision !== undefined && decision !== 'allow') || riskLevel === 'high' || riskLevel === 'critical';
  return { pinned: [], predicate: isNotable ? IS_NOTABLE : HAS_DECISION, scanned };
}

function toPolicyDecision({ data, ...row }: PolicyDecisionRow): PolicyDecisionRecord {
  const { policyDecision, callId, tool, agentName } = data;
  if (!isJsonObject(policyDecision)) throw new Error('The event contains no policy decision.');
  return {
    runId: row.run_id,
    workflowId: row.workflow_id,
    seq: row.seq,
    at: row.at,
    stepId: row.step_id,
    elementId: row.element_id,
    callId: toStringOrNull(callId),
    tool: toStringOrNull(tool),
    agentName: row.agent ?? toStringOrNull(agentName),
    decision: policyDecision as unknown as PolicyDecision,
  };
}

function toStringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
