import { expect } from 'chai';
import { runToCompletion, PersonScope, type RunEvent } from '@countersign/model';
import type { RunSnapshot } from '../../ports/run-snapshot.js';
import type { ApprovalRecord } from '../../ports/records.js';
import { computeErasure, type StoredRunData } from './compute-erasure.js';

const EVENT_COUNT = 300;

function createEvent(seq: number): RunEvent {
  return {
    seq,
    at: 0,
    type: 'step.failed',
    stepId: null,
    elementId: null,
    data: {},
    private: { message: seq % 2 === 0 ? 'Ada was away' : 'It broke' },
    salt: '00',
    commitment: null,
    previousHash: '',
    hash: '',
  };
}

const STATE: RunSnapshot = {
  runId: 'run',
  parent: null,
  seq: EVENT_COUNT,
  variables: {},
  hasArtifacts: false,
  openSteps: [],
  personSalts: {},
};

const data: StoredRunData = {
  state: STATE,
  events: Array.from({ length: EVENT_COUNT }, (_, index) => createEvent(index + 1)),
  audit: [],
  approvals: [],
  questions: [],
  artifacts: [],
  payloads: { deliveries: [], inboundEvents: [] },
};

const createApproval = (): ApprovalRecord =>
  ({
    requestedBy: 'bob',
    resolvedBy: null,
    candidateUsers: [],
    delegations: [],
    excluded: {},
    votes: [],
    subject: { kind: 'user_task', inputs: {}, evidence: [] },
  }) as unknown as ApprovalRecord;

function countPauses(stored: StoredRunData): number {
  let pauses = 0;
  for (const _pause of computeErasure(stored, new PersonScope(['Ada']))) pauses += 1;
  return pauses;
}

describe('computeErasure()', () => {
  it('should find the events that name a person', () => {
    const { erasure } = runToCompletion(computeErasure(data, new PersonScope(['Ada'])));

    expect(erasure.events).to.have.length(EVENT_COUNT / 2);
  });

  it('should yield at least twice for each event', () => {
    expect(countPauses(data)).to.be.least(EVENT_COUNT * 2);
  });

  it('should yield for each approval', () => {
    expect(countPauses({ ...data, events: [], approvals: Array.from({ length: 50 }, createApproval) })).to.be.least(50);
  });

  it('should yield for each open step', () => {
    const openSteps = Array.from({ length: 50 }, (_, key) => ({
      stepId: String(key),
      variables: {},
      agentBudget: null,
    }));
    expect(countPauses({ ...data, events: [], state: { ...STATE, openSteps } })).to.be.least(50);
  });
});
