import { isoTime } from '@countersign/model';
import { expect } from 'chai';
import { compareHistories } from './compare-histories.js';
import { buildStepCase, buildTracedCase, TIMER_MODEL, USER_TASK_MODEL } from './models.spec.support.js';
import { OneToOneMap } from './one-to-one-map.js';
import { rechainAudit, rechainEvents } from './rechain.js';
import type { RunHistory } from './run-histories.js';
import { runStepCase } from './run-step-case.js';
import { runTracedCase } from './run-traced-case.js';

type StoredEvent = RunHistory['events'][number];
type Change = (histories: readonly RunHistory[]) => readonly RunHistory[];

const HOUR_MS = 3_600_000;
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g;

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

/** Executes a case whose timer fires after an hour. */
async function executeTimerCase(): Promise<readonly RunHistory[]> {
  let histories: readonly RunHistory[] = [];
  const { verdict, details } = await runTracedCase(buildTracedCase(), TIMER_MODEL, {
    inspect: async (host) => void (histories = await host.readHistories()),
  });
  expect(verdict, details.join(' ')).to.equal('right');
  return histories;
}

/** Stores the hashes of changed histories, as an engine would have done that did something else. */
function chainAgain(histories: readonly RunHistory[]): RunHistory[] {
  return histories.map((history) => {
    const replacements = {
      ids: new OneToOneMap<string>('id'),
      times: new OneToOneMap<number>('time'),
      digests: new Map<string, string>(),
    };
    const events = rechainEvents(history, history, replacements);
    return { ...history, events, audit: rechainAudit(history, history, replacements) };
  });
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

/** Moves all times of histories, as if they had been recorded with another clock. */
function shiftTimes(histories: readonly RunHistory[], byMs: number): RunHistory[] {
  const shift = <T extends { readonly at: number }>(link: T): T => {
    const text = JSON.stringify(link).replaceAll(TIMES, (time) => isoTime(Date.parse(time) + byMs));
    return { ...(JSON.parse(text) as T), at: link.at + byMs };
  };
  return histories.map((history) => ({
    ...history,
    events: history.events.map(shift),
    audit: history.audit.map(shift),
  }));
}

describe('compareHistories', () => {
  let recorded: readonly RunHistory[] = [];
  let repeated: readonly RunHistory[] = [];
  let timed: readonly RunHistory[] = [];
  let timedRepeated: readonly RunHistory[] = [];

  before(async () => {
    recorded = await executeCase();
    repeated = await executeCase();
    timed = await executeTimerCase();
    timedRepeated = await executeTimerCase();
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
    expect(compareHistories(timed, timedRepeated)).to.deep.equal([]);
  });

  const changes: [string, Change][] = [
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
      (histories) => changeEvent(histories, 'run.completed', ({ at }) => ({ at: at - HOUR_MS })),
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
      for (const histories of [recorded, repeated]) {
        const differences = compareHistories(recorded, chainAgain(change(histories)));
        expect(differences).not.to.deep.equal([]);
        expect(differences.join(' ')).not.to.include('the stored');
      }
    });

  const timeChanges: [string, Change][] = [
    [
      'a timer that fires an hour late',
      (histories) =>
        changeEvents(histories, (events) => {
          const index = events.findIndex(({ type }) => type === 'timer.fired');
          expect(index).to.be.above(0);
          return events.map((event, position) => (position < index ? event : { ...event, at: event.at + HOUR_MS }));
        }),
    ],
    [
      'another due time of a timer',
      (histories) =>
        changeEvent(histories, 'timer.fired', ({ data }) => ({
          data: { ...data, dueAt: isoTime(Date.parse(String(data['dueAt'])) - HOUR_MS / 2) },
        })),
    ],
    [
      'a timer that fires two seconds early',
      (histories) =>
        changeEvents(histories, (events) =>
          events.map((event) => (event.type === 'timer.fired' ? { ...event, at: event.at - 2_000 } : event)),
        ),
    ],
  ];
  for (const [title, change] of timeChanges)
    it(`should report ${title}`, () => {
      for (const histories of [timed, timedRepeated])
        expect(compareHistories(timed, chainAgain(change(histories))).join(' ')).to.match(
          /timer\.fired\) is \d+ ms (?:later|earlier), as counted from the start of the first run\./,
        );
    });

  it('should report a second run that starts later', () => {
    // given
    const later = chainAgain(shiftTimes(timed, HOUR_MS));

    // then
    expect(compareHistories([...recorded, ...timed], [...repeated, ...later]).join(' ')).to.include('run.started) is');
    expect(compareHistories(timed, later), 'another clock').to.deep.equal([]);
  });

  const brokenChains: [string, Change][] = [
    ['hash', (histories) => changeEvent(histories, 'run.completed', () => ({ hash: '0'.repeat(64) }))],
    ['previous hash', (histories) => changeEvent(histories, 'run.completed', () => ({ previousHash: '0'.repeat(64) }))],
    [
      'commitment to a private part',
      (histories) => changeEvent(histories, 'run.started', () => ({ commitment: '0'.repeat(64) })),
    ],
    [
      'digest of a person',
      (histories) =>
        changeEvent(histories, 'approval.voted', ({ data }) => ({
          data: { ...data, personDigests: { actor: '0'.repeat(64) } },
        })),
    ],
    [
      'hash of an audit record',
      (histories) =>
        histories.map((history) => ({
          ...history,
          audit: history.audit.map((record) => ({ ...record, hash: '0'.repeat(64) })),
        })),
    ],
  ];
  for (const [title, change] of brokenChains)
    it(`should report a stored ${title} that is wrong, with its run`, () => {
      const [difference, ...others] = compareHistories(recorded, change(repeated));
      expect(difference).to.match(/^Run [-0-9a-f]+ of "asking" \(compared\): the stored /);
      expect(difference).to.include(repeated[0]?.runId);
      expect(others).to.deep.equal([]);
      expect(compareHistories(change(recorded), repeated)[0]).to.include('(expected)');
    });

  it('should report a subject that does not have its digest', () => {
    const changed = recorded.map((history) => ({
      ...history,
      approvals: history.approvals.map(({ digest, subject }) => ({
        digest,
        subject: { ...subject, inputs: { a: 1 } },
      })),
    }));
    expect(compareHistories(recorded, changed).join(' ')).to.include('does not have the digest');
  });
});
