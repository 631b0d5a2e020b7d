import { expect } from 'chai';
import { atOnce, OnePerson, type RunEvent, type RunState } from '@countersign/model';
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

describe('workOutErasure()', () => {
  it('should find the events that name a person', () => {
    const { erasure } = atOnce(workOutErasure(data, new OnePerson(['Ada'])));

    expect(erasure.events).to.have.length(EVENTS / 2);
  });

  it('should yield twice for each event', () => {
    let pauses = 0;
    for (const _pause of workOutErasure(data, new OnePerson(['Ada']))) pauses += 1;

    expect(pauses).to.be.least(EVENTS * 2);
  });
});
