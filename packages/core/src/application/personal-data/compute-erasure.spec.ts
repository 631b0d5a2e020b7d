import { expect } from 'chai';
import { ERASED, runToCompletion, PersonScope, type RunEvent, WHOLE_RUN } from '@countersign/model';
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

  describe('the title of an approval', () => {
    const titled = {
      ...createApproval(),
      approvalId: 'a',
      title: 'Pay Ada Lovelace',
      businessKey: 'Ada-7',
      subject: {
        kind: 'user_task',
        inputs: {},
        evidence: [],
        title: 'Pay Ada Lovelace',
        summary: 'Travel expenses of Ada',
        fields: [
          { label: 'Person', value: 'Ada', format: 'text' },
          { label: 'Amount', value: 12, format: 'money', currency: 'EUR' },
        ],
      },
    } as unknown as ApprovalRecord;
    const eraseTitle = (approval: ApprovalRecord, scope = WHOLE_RUN): ApprovalRecord | undefined =>
      runToCompletion(computeErasure({ ...data, events: [], approvals: [approval] }, scope)).erasure.approvals[0];

    it('should lose only the name of the person when that person is erased', () => {
      const erased = eraseTitle(titled, new PersonScope(['Ada', 'Ada Lovelace']));
      expect(erased).to.include({ title: `Pay ${ERASED}`, businessKey: `${ERASED}-7` });
      expect(erased?.subject).to.deep.include({
        title: `Pay ${ERASED}`,
        summary: `Travel expenses of ${ERASED}`,
        fields: [
          { label: 'Person', value: ERASED, format: 'text' },
          { label: 'Amount', value: 12, format: 'money', currency: 'EUR' },
        ],
        erased: true,
      });
    });

    it('should be erased completely if it is derived from an input that names the person', () => {
      const shouted = {
        ...titled,
        title: 'PAY ADA',
        subject: { ...titled.subject, inputs: { supplier: 'Ada' }, title: 'PAY ADA', summary: 'For A.' },
      } as ApprovalRecord;
      const erased = eraseTitle(shouted, new PersonScope(['Ada']));
      expect(erased?.title).to.equal(ERASED);
      expect(erased?.subject).to.deep.include({ title: ERASED, summary: ERASED });
    });

    it('should be erased with its summary, its values and the business key when the run is erased', () => {
      const erased = eraseTitle(titled);
      expect(erased).to.include({ title: ERASED, businessKey: null });
      expect(erased?.subject).to.deep.include({
        title: ERASED,
        summary: ERASED,
        fields: [
          { label: ERASED, value: ERASED, format: 'text' },
          { label: ERASED, value: null, format: 'money', currency: 'EUR' },
        ],
      });
    });

    it('should be erased when it contains the business key, and kept when it is only the name of the task', () => {
      const untitled = { ...createApproval(), approvalId: 'a', requestedBy: 'Ada', title: 'Approve the release' };
      expect(eraseTitle({ ...untitled, title: 'Approve – PO-7', businessKey: 'PO-7' })?.title).to.equal(ERASED);
      expect(eraseTitle({ ...untitled, businessKey: null })?.title).to.equal('Approve the release');
    });
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
