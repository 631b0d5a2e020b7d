import { advance, projectRun } from '@countersign/interpreter';
import {
  type ChainedEvent,
  chainEvents,
  type Command,
  type EngineRequest,
  GENESIS_HASH,
  PersonSalts,
  type PolicyFunction,
  type RunState,
  type Wait,
} from '@countersign/model';
import {
  feel,
  buildTestGraph,
  mapping,
  jobNode,
} from '../../../packages/interpreter/dist/build-test-graph.spec.support.js';

const RUN_ID = '019b0000-0000-7000-8000-000000000001';
const STARTED_AT = Date.UTC(2026, 0, 5, 9);
const userActor = (id: string) => ({ type: 'user', id, name: null }) as const;

const GRAPH = buildTestGraph(
  [
    { id: 'start', kind: 'startEvent' },
    jobNode('notes', {
      inputs: [mapping('"v" + string(major)', 'version')],
      outputs: [mapping('{ lines: count(notes) }', 'summary')],
    }),
    {
      id: 'review',
      kind: 'userTask',
      approval: {
        assignee: null,
        candidateUsers: null,
        candidateGroups: null,
        dueDate: null,
        priority: null,
        quorum: { literal: '1' },
        separationOfDuties: 'required',
        requireSignature: false,
        requireDigest: false,
        evidence: null,
        title: null,
        summary: null,
        fields: null,
        resultVariable: 'review',
        onTimeout: 'none',
        outcomeHandledByBpmn: true,
        reworkStep: null,
      },
    },
    { id: 'choice', kind: 'exclusiveGateway' },
    { id: 'size', kind: 'scriptTask', expression: feel('summary.lines * 2'), resultVariable: 'size' },
    { id: 'released', kind: 'endEvent' },
    { id: 'stopped', kind: 'endEvent' },
  ],
  [
    'start > notes',
    'notes > review',
    'review > choice',
    'choice > size: review.decision = "approve"',
    'choice > stopped: default',
    'size > released',
  ],
);

const allowPolicy: PolicyFunction = () => ({
  decision: 'allow',
  rationale: 'a test',
  riskLevel: 'low',
  riskFactors: [],
  toolConstraints: { allowed: [], denied: [], requireApproval: [], limits: {} },
  policyId: 'test',
  policyDigest: 'sha256:0',
});

/**
 * Starts a run, completes its job and approves it. Returns the state, the chained events, the engine requests and the
 * projection as JSON.
 */
export function executeWholeRun(): string {
  const salts = new PersonSalts(undefined, () => '00112233445566778899aabbccddeeff');
  const chained: ChainedEvent[] = [];
  const requests: EngineRequest[] = [];
  let state: RunState | null = null;
  const applyCommand = (commandInput: Command): RunState => {
    const settings = {
      separationOfDuties: true,
      excludeDeployers: false,
      requireDigest: false,
      retryBackoffMs: 1_000,
      retryBackoffMaxMs: 60_000,
    };
    const result = advance(GRAPH, state, commandInput, {
      now: STARTED_AT + chained.length,
      settings,
      policy: allowPolicy,
    });
    chained.push(
      ...chainEvents(
        RUN_ID,
        chained.at(-1)?.hash ?? GENESIS_HASH,
        result.events,
        (seq) => String(seq).padStart(32, '0'),
        salts,
      ),
    );
    requests.push(...result.requests);
    state = result.state;
    return result.state;
  };

  const startedState = applyCommand({
    type: 'start',
    actor: userActor('ada'),
    runId: RUN_ID,
    workflowVersion: 1,
    workflowDigest: 'sha256:1',
    businessKey: null,
    inputs: { major: 3 },
  });
  const job = listWaits(startedState).find((wait) => wait.kind === 'job');
  const reviewState = applyCommand({
    type: 'job.complete',
    actor: userActor('worker'),
    jobId: job?.jobId ?? '',
    output: { notes: ['a', 'b', 'ü'] },
    agentName: null,
  });
  const { approval } = listWaits(reviewState).find((wait) => wait.kind === 'approval') ?? {};
  const endedState = applyCommand({
    type: 'approval.vote',
    actor: userActor('bo'),
    approvalId: approval?.approvalId ?? '',
    decision: 'approve',
    comment: 'Fine.',
    expectedDigest: approval?.digest ?? null,
    expectedRound: null,
  });
  return JSON.stringify({ state: endedState, chained, requests, projection: projectRun(GRAPH, endedState) });
}

function listWaits({ instances }: RunState): readonly Wait[] {
  return Object.values(instances).flatMap(({ waits }) => waits ?? []);
}
