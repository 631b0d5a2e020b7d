import { expect } from 'chai';
import { compareHistories } from './compare-histories.js';
import type { RunHistory } from './run-histories.js';
import { buildStepCase, USER_TASK_MODEL } from './models.spec.support.js';
import { runStepCase } from './run-step-case.js';

type StoredEvent = RunHistory['events'][number];

/** Executes a case with two approvals and a message, and returns the histories of its runs. */
async function executeCase(): Promise<readonly RunHistory[]> {
  let histories: readonly RunHistory[] = [];
  const steps = [
    { complete: 'first', n: 1 },
    { message: 'call' },
    { complete: 'second', n: 1 },
    { ended: true },
  ] as const;
  const processId = /<bpmn:process id="([^"]+)"/.exec(USER_TASK_MODEL)?.[1];
  const { verdict, details } = await runStepCase(
    { ...buildStepCase(steps, processId), startVariables: { log: [] } },
    USER_TASK_MODEL,
    { inspect: async (host) => void (histories = await host.readHistories()) },
  );
  expect(verdict, details.join(' ')).to.equal('right');
  return histories;
}

function changeEvents(
  histories: readonly RunHistory[],
  change: (events: readonly StoredEvent[]) => readonly StoredEvent[],
): RunHistory[] {
  return histories.map((history) => ({ ...history, events: change(history.events) }));
}

/** Changes the first event of a type. */
function changeEvent(
  histories: readonly RunHistory[],
  type: string,
  change: (event: StoredEvent) => Partial<StoredEvent>,
): RunHistory[] {
  return changeEvents(histories, (events) => {
    const index = events.findIndex((event) => event.type === type);
    expect(index, type).to.be.at.least(0);
    return events.map((event, position) => (position === index ? { ...event, ...change(event) } : event));
  });
}

describe('compareHistories', () => {
  let recorded: readonly RunHistory[] = [];
  let repeated: readonly RunHistory[] = [];

  before(async () => {
    recorded = await executeCase();
    repeated = await executeCase();
  });

  it('should compute the recorded hashes of a history', () => {
    expect(recorded).to.have.length(1);
    expect(recorded[0]?.events).to.have.length.above(10);
    expect(compareHistories(recorded, recorded)).to.deep.equal([]);
  });

  it('should compute the hashes of one execution from the events of another one', () => {
    // given
    const hashes = recorded[0]?.events.map(({ hash }) => hash) ?? [];
    expect(repeated[0]?.events.map(({ hash }) => hash)).not.to.include.members(hashes.slice(0, 1));

    // then
    expect(compareHistories(recorded, repeated)).to.deep.equal([]);
  });

  const changes: [string, (histories: readonly RunHistory[]) => readonly RunHistory[]][] = [
    ['another element', (histories) => changeEvent(histories, 'step.completed', () => ({ elementId: 'another' }))],
    [
      'another member of the data',
      (histories) => changeEvent(histories, 'step.started', ({ data }) => ({ data: { ...data, attempt: 2 } })),
    ],
    [
      'another private part',
      (histories) =>
        changeEvent(histories, 'run.started', ({ private: part }) => ({
          private: { ...part, inputs: { log: ['changed'] } },
        })),
    ],
    ['no private part', (histories) => changeEvent(histories, 'run.started', () => ({ private: null }))],
    [
      'another person',
      (histories) =>
        changeEvent(histories, 'approval.voted', ({ private: part }) => ({
          private: { ...part, actor: { type: 'user', id: 'mallory', name: 'Mallory' } },
        })),
    ],
    [
      'another digest of a subject',
      (histories) =>
        changeEvent(histories, 'approval.requested', ({ data }) => ({
          data: { ...data, digest: `sha256:${'0'.repeat(64)}` },
        })),
    ],
    [
      'the id of another step',
      (histories) =>
        changeEvent(histories, 'step.completed', ({ stepId }) => ({
          stepId:
            histories[0]?.events.findLast((event) => event.stepId !== null && event.stepId !== stepId)?.stepId ?? '',
        })),
    ],
    [
      'times in another order',
      (histories) => changeEvent(histories, 'run.completed', ({ at }) => ({ at: at - 3_600_000 })),
    ],
    ['a missing event at the end', (histories) => changeEvents(histories, (events) => events.slice(0, -1))],
    [
      'an additional event at the end',
      (histories) =>
        changeEvents(histories, (events) => [
          ...events,
          ...events.slice(-1).map((event) => ({ ...event, seq: event.seq + 1, at: event.at + 1 })),
        ]),
    ],
    [
      'two events in another order',
      (histories) =>
        changeEvents(histories, (events) => {
          const [first, second, ...rest] = events;
          if (first === undefined || second === undefined) return events;
          return [{ ...second, seq: first.seq, at: first.at }, { ...first, seq: second.seq, at: second.at }, ...rest];
        }),
    ],
    [
      'an audit record of another action',
      (histories) =>
        histories.map((history) => ({
          ...history,
          audit: history.audit.map((record) => ({ ...record, action: 'run.cancel' })),
        })),
    ],
    [
      'an audit record of another request',
      (histories) =>
        histories.map((history) => ({
          ...history,
          audit: history.audit.map((record) => ({ ...record, from: 'elsewhere' })),
        })),
    ],
    [
      'a missing audit record',
      (histories) => histories.map((history) => ({ ...history, audit: history.audit.slice(0, -1) })),
    ],
    ['a missing run', () => []],
    ['a run of another workflow', (histories) => histories.map((each) => ({ ...each, workflowId: 'another' }))],
  ];
  for (const [title, change] of changes)
    it(`should report ${title}`, () => {
      expect(compareHistories(recorded, change(recorded)), 'the same history').not.to.deep.equal([]);
      expect(compareHistories(recorded, change(repeated)), 'another execution').not.to.deep.equal([]);
    });

  it('should refuse a subject that does not have its digest', () => {
    const changed = recorded.map((history) => ({
      ...history,
      approvals: history.approvals.map(({ digest, subject }) => ({
        digest,
        subject: { ...subject, inputs: { a: 1 } },
      })),
    }));
    expect(() => compareHistories(recorded, changed)).to.throw('does not have the digest');
  });
});
