import { compileWorkflow, computeWorkflowDigest } from '@countersign/bpmn';
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
  createRandomId,
  type RunState,
} from '@countersign/model';
import { createSaltSource } from '@countersign/engine';
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

/** Receives the result of each command. */
type ResultHandler = (result: AdvanceResult) => void;

/**
 * Runs that `advance()` executes in memory, with policy decisions, a vote and the digest of the approved subject, but
 * without storage.
 */
export interface InterpreterRuns {
  /** Executes runs, each command with one call to `advance()`. */
  advance(count: number): void;
  /**
   * Like `advance`, but also builds the history in its stored form: each event is hashed and chained, and each private
   * part is bound by a salted commitment.
   */
  record(count: number): void;
  measureSizes(): StateSizes;
}

export async function openInterpreter(): Promise<InterpreterRuns> {
  const { graph } = await compileWorkflow(APPROVAL_WORKFLOW);
  const digest = computeWorkflowDigest(APPROVAL_WORKFLOW);
  const { policy } = await loadPolicy();
  const salt = createSaltSource();

  const run = (index: number, onResult: ResultHandler): RunState => {
    let result = advance(graph, null, createStartCommand(index, digest), {
      now: Date.now(),
      policy,
      settings: SETTINGS,
    });
    onResult(result);
    const execute = (command: Command): void => {
      result = advance(graph, result.state, command, { now: Date.now(), policy, settings: SETTINGS });
      onResult(result);
    };
    execute(createJobCommand(result));
    execute(createApproveCommand(result));
    execute(createJobCommand(result));
    if (result.state.outcome !== 'completed') throw new Error(`Run ${index} ended as "${result.state.outcome}".`);
    return result.state;
  };

  return {
    advance(count) {
      for (let index = 0; index < count; index += 1) run(index, () => undefined);
    },
    record(count) {
      for (let index = 0; index < count; index += 1) {
        let lastHash = GENESIS_HASH;
        const personSalts = new PersonSalts({}, salt);
        run(index, ({ state, events }) => {
          lastHash = chainEvents(state.runId, lastHash, events, salt, personSalts).at(-1)?.hash ?? lastHash;
        });
      }
    },
    measureSizes() {
      const sizes: number[] = [];
      const finalState = run(0, ({ state }) => sizes.push(getStateBytes(state)));
      return { maxBytes: Math.max(...sizes), endBytes: getStateBytes(finalState) };
    },
  };
}

/** Returns the size of the state in its stored form. */
function getStateBytes(state: RunState): number {
  return Buffer.byteLength(JSON.stringify(state));
}

function createPerson(id: string): Actor {
  return { type: 'user', id, name: id, groups: [] };
}

function createStartCommand(index: number, workflowDigest: string): Command {
  return {
    type: 'start',
    actor: createPerson('starter'),
    runId: createRandomId(Date.now()),
    workflowVersion: 1,
    workflowDigest,
    businessKey: `order-${index}`,
    inputs: createRunInputs(index),
  };
}

function createJobCommand({ requests }: AdvanceResult): Command {
  const jobRequest = requests.find((request) => request.type === 'job.offer');
  if (jobRequest === undefined) throw new Error('No job is available.');
  const { jobId, elementId } = jobRequest.job;
  return {
    type: 'job.complete',
    actor: createPerson('worker'),
    jobId,
    output: { [`done_${elementId}`]: jobId },
    agentName: null,
  };
}

function createApproveCommand({ requests }: AdvanceResult): Command {
  const approvalRequest = requests.find((request) => request.type === 'approval.open');
  if (approvalRequest === undefined) throw new Error('No approval is pending.');
  const { approvalId } = approvalRequest.approval;
  return {
    type: 'approval.vote',
    actor: createPerson('approver'),
    approvalId,
    decision: 'approve',
    comment: null,
    expectedDigest: null,
    expectedRound: null,
  };
}

export function createRunInputs(index: number): JsonObject {
  return { amount: index, customer: `customer-${index}` };
}
