import { compileWorkflow, workflowDigest } from '@countersign/bpmn';
import { advance } from '@countersign/interpreter';
import type { JsonObject } from '@countersign/core/plugin';
import {
  type Actor,
  type AdvanceContext,
  type AdvanceResult,
  chainEvents,
  type Command,
  GENESIS_HASH,
  PersonSalts,
  randomId,
  type RunState,
} from '@countersign/model';
import { saltSource } from '@countersign/engine-embedded';
import { loadPolicy } from '@countersign/policy-cedar';
import { APPROVAL_WORKFLOW } from '../workload/approval-workflow.js';
import type { StateSizes } from './state-sizes.js';

const SETTINGS: AdvanceContext['settings'] = {
  separationOfDuties: true,
  excludeDeployers: false,
  requireDigest: false,
  retryBackoffMs: 1000,
  retryBackoffMaxMs: 60_000,
};

/** Handler of the result of a command. */
type Keep = (result: AdvanceResult) => void;

/** Runs only by `advance()`: with policy decisions, the vote and its bound digest, but without storage. */
export interface InterpreterRuns {
  /** Executes each command by `advance()`. */
  advance(count: number): void;
  /**
   * Also builds the history in its stored form: each event hashed and chained, each private part committed to with a
   * salt.
   */
  record(count: number): void;
  sizes(): StateSizes;
}

export async function openInterpreter(): Promise<InterpreterRuns> {
  const { graph } = await compileWorkflow(APPROVAL_WORKFLOW);
  const digest = workflowDigest(APPROVAL_WORKFLOW);
  const { policy } = await loadPolicy();
  const salt = saltSource();

  const run = (index: number, keep: Keep): RunState => {
    let result = advance(graph, null, startCommand(index, digest), { now: Date.now(), policy, settings: SETTINGS });
    keep(result);
    const next = (command: Command): void => {
      result = advance(graph, result.state, command, { now: Date.now(), policy, settings: SETTINGS });
      keep(result);
    };
    next(jobDone(result));
    next(approve(result));
    next(jobDone(result));
    if (result.state.outcome !== 'completed') throw new Error(`Run ${index} ended as "${result.state.outcome}".`);
    return result.state;
  };

  return {
    advance(count) {
      for (let index = 0; index < count; index += 1) run(index, () => undefined);
    },
    record(count) {
      for (let index = 0; index < count; index += 1) {
        let last = GENESIS_HASH;
        const personSalts = new PersonSalts({}, salt);
        run(index, ({ state, events }) => {
          last = chainEvents(state.runId, last, events, salt, personSalts).at(-1)?.hash ?? last;
        });
      }
    },
    sizes() {
      const largest: number[] = [];
      const ended = run(0, ({ state }) => largest.push(bytes(state)));
      return { largest: Math.max(...largest), ended: bytes(ended) };
    },
  };
}

/** Returns the size of the state in its stored form. */
function bytes(state: RunState): number {
  return Buffer.byteLength(JSON.stringify(state));
}

function person(id: string): Actor {
  return { type: 'user', id, name: id, groups: [] };
}

function startCommand(index: number, workflowDigest: string): Command {
  return {
    type: 'start',
    actor: person('starter'),
    runId: randomId(Date.now()),
    workflowVersion: 1,
    workflowDigest,
    businessKey: `order-${index}`,
    inputs: inputsOf(index),
  };
}

function jobDone({ requests }: AdvanceResult): Command {
  const offer = requests.find((request) => request.type === 'job.offer');
  if (offer === undefined) throw new Error('No job is available.');
  const { jobId, elementId } = offer.job;
  return {
    type: 'job.complete',
    actor: person('worker'),
    jobId,
    output: { [`done_${elementId}`]: jobId },
    agentName: null,
  };
}

function approve({ requests }: AdvanceResult): Command {
  const opened = requests.find((request) => request.type === 'approval.open');
  if (opened === undefined) throw new Error('No approval is pending.');
  const { approvalId } = opened.approval;
  return {
    type: 'approval.vote',
    actor: person('approver'),
    approvalId,
    decision: 'approve',
    comment: null,
    expectedDigest: null,
    expectedRound: null,
  };
}

export function inputsOf(index: number): JsonObject {
  return { amount: index, customer: `customer-${index}` };
}
