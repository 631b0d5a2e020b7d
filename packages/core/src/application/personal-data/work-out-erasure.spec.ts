import { expect } from 'chai';
import { atOnce, OnePerson, type RunEvent, type RunState } from '@countersign/model';
import type { ApprovalRecord } from '../../ports/records.js';
import { workOutErasure, type StoredRunData } from './work-out-erasure.js';

const EVENTS = 300;

function event(seq: number): RunEvent {
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

const data: StoredRunData = {
  state: { instances: {} } as unknown as RunState,
  events: Array.from({ length: EVENTS }, (_, index) => event(index + 1)),
  audit: [],
  approvals: [],
  questions: [],
  artifacts: [],
  payloads: { deliveries: [], inboundEvents: [] },
};

const approval = (): ApprovalRecord =>
  ({
    requestedBy: 'bob',
    resolvedBy: null,
    candidateUsers: [],
    delegations: [],
    excluded: {},
    votes: [],
    subject: { kind: 'user_task', inputs: {}, evidence: [] },
  }) as unknown as ApprovalRecord;

function pausesOf(stored: StoredRunData): number {
  let pauses = 0;
  for (const _pause of workOutErasure(stored, new OnePerson(['Ada']))) pauses += 1;
  return pauses;
}

describe('workOutErasure()', () => {
  it('should find the events that name a person', () => {
    const { erasure } = atOnce(workOutErasure(data, new OnePerson(['Ada'])));

    expect(erasure.events).to.have.length(EVENTS / 2);
  });

  it('should yield at least twice for each event', () => {
    expect(pausesOf(data)).to.be.least(EVENTS * 2);
  });

  it('should yield for each approval', () => {
    expect(pausesOf({ ...data, events: [], approvals: Array.from({ length: 50 }, approval) })).to.be.least(50);
  });

  it('should yield for each element instance', () => {
    const instances = Object.fromEntries(Array.from({ length: 50 }, (_, key) => [key, { key, variables: {} }]));
    const state = { instances } as unknown as RunState;
    expect(pausesOf({ ...data, events: [], state })).to.be.least(50);
  });
});
