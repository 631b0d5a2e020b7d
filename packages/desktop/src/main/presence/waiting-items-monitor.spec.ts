import { expect } from 'chai';
import type { NotificationLevel } from '../../common/presence.js';
import type { Announcement } from './notification-planner.js';
import { ManualClock } from './clock.spec.support.js';
import type { StoredPresence } from './presence-file.js';
import { createInMemoryPresenceFile } from './presence-file.spec.support.js';
import { presenceTexts } from './presence-texts.js';
import { WaitingItemsMonitor, type PresenceSession } from './waiting-items-monitor.js';
import {
  createApproval,
  InMemoryInboxClient,
  createChange,
  createQuestion,
  createQuestionChange,
  SERVER,
  waitForResponses,
} from './waiting-items-monitor.spec.support.js';
import { getItemId } from './waiting-item.js';

const HOUR = 60 * 60_000;

describe('WaitingItemsMonitor', () => {
  let clock: ManualClock;
  let client: InMemoryInboxClient;
  let storage: { value?: StoredPresence };
  let shown: Announcement[];
  let withdrawn: number[];
  let count: number;
  let level: NotificationLevel;
  let monitor: WaitingItemsMonitor;

  const startMonitor = (): WaitingItemsMonitor =>
    new WaitingItemsMonitor({
      clock,
      file: createInMemoryPresenceFile(storage),
      level: () => level,
      isInboxInView: () => false,
      show: (announcement) => shown.push(announcement),
      withdraw: (id) => withdrawn.push(id),
      onUpdate: ({ items }) => (count = items.length),
    });
  const createSession = (overrides: Partial<PresenceSession> = {}): PresenceSession => ({
    serverId: SERVER,
    subject: 'ada',
    feed: 'live',
    listsQuestions: false,
    client,
    ...overrides,
  });
  const advanceAndWait = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await waitForResponses();
  };
  const requestApprovals = async (...ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      client.byId.set(id, createApproval(id));
      monitor.onChange(SERVER, createChange(id));
    }
    await advanceAndWait(1_000);
  };
  const describeShown = (): string[] =>
    shown.map(
      ({ kind, isReminder, items }) => `${isReminder ? 'reminder ' : ''}${kind} ${items.map(getItemId).join()}`,
    );

  beforeEach(async () => {
    clock = new ManualClock();
    client = new InMemoryInboxClient(createApproval('old-1'), createApproval('old-2'));
    storage = {};
    shown = [];
    withdrawn = [];
    level = 'all';
    monitor = startMonitor();
    monitor.setSessions([createSession()]);
    await advanceAndWait(1_000);
  });

  it('should show a summary at the first sign-in and a notification for each new approval, and count both', async () => {
    await requestApprovals('new');
    expect(describeShown()).to.deep.equal(['summary old-1,old-2', 'one new']);
    expect(count).to.equal(3);
  });

  it('should not report an empty inbox before the list is loaded', async () => {
    // given
    const tooltips: string[] = [];
    const otherMonitor = new WaitingItemsMonitor({
      clock,
      file: createInMemoryPresenceFile({}),
      level: () => level,
      isInboxInView: () => true,
      show: () => undefined,
      withdraw: () => undefined,
      onUpdate: (waiting) => tooltips.push(presenceTexts.waiting(waiting)),
    });
    client.byId.clear();
    // when
    otherMonitor.setSessions([createSession()]);
    await advanceAndWait(1_000);
    otherMonitor.stop();
    // then
    expect(tooltips).to.deep.equal(['Loading your inbox', 'Nothing is waiting for you', 'Nothing is waiting for you']);
  });

  it('should withdraw the notification and lower the count when another person decides an approval', async () => {
    await requestApprovals('new');
    client.byId.set('new', createApproval('new', { status: 'approved' }));
    monitor.onChange(SERVER, createChange('new', 'approval.resolved'));
    await advanceAndWait(1_000);
    expect(withdrawn).to.deep.equal([shown[1]?.id]);
    expect(count).to.equal(2);
  });

  it('should notify only about approvals that arrived during a restart', async () => {
    // given
    monitor.stop();
    shown.length = 0;
    client.byId.set('new', createApproval('new'));
    // when
    monitor = startMonitor();
    monitor.setSessions([createSession()]);
    await advanceAndWait(1_000);
    // then
    expect(describeShown()).to.deep.equal(['one new']);
  });

  it('should drop the waiting approvals and withdraw their notifications after a sign-out', async () => {
    await requestApprovals('new');
    monitor.setSessions([]);
    expect(count).to.equal(0);
    expect(withdrawn).to.have.members(shown.map(({ id }) => id));
  });

  it('should send no requests after a sign-out', async () => {
    client.requests.length = 0;
    monitor.onChange(SERVER, createChange('old-1', 'approval.voted'));
    monitor.setSessions([]);
    await advanceAndWait(60_000);
    expect(client.requests).to.deep.equal([]);
  });

  it('should reload the list at intervals while the feed is broken, and when the feed is live again', async () => {
    client.requests.length = 0;
    monitor.setSessions([createSession({ feed: 'polling' })]);
    client.byId.set('unreported', createApproval('unreported'));
    await advanceAndWait(15_001);
    await advanceAndWait(15_001);
    expect(client.requests).to.deep.equal(['list', 'list']);
    expect(count).to.equal(3);
    monitor.setSessions([createSession()]);
    await advanceAndWait(60_000);
    expect(client.requests).to.deep.equal(['list', 'list', 'list']);
  });

  describe('snoozing', () => {
    it('should hide an approval until the snooze ends and then remind the user of it', async () => {
      await requestApprovals('new');
      expect(await monitor.snooze(SERVER, { approvalId: 'new', round: 1, until: clock.now() + HOUR })).to.equal(true);
      expect(count).to.equal(2);
      expect(withdrawn).to.include(shown[1]?.id);
      expect(monitor.listSnoozed(SERVER).map(({ approvalId }) => approvalId)).to.deep.equal(['new']);
      await advanceAndWait(HOUR);
      expect(count).to.equal(3);
      expect(describeShown().at(-1)).to.equal('reminder one new');
    });

    it('should remind the user of an approval if the snooze ended while the machine was asleep', async () => {
      await requestApprovals('new');
      await monitor.snooze(SERVER, { approvalId: 'new', round: 1, until: clock.now() + HOUR });
      clock.sleep(2 * HOUR);
      monitor.check();
      expect(describeShown().at(-1)).to.equal('reminder one new');
    });

    it('should survive a restart, even if the snooze ended in the meantime', async () => {
      await requestApprovals('new');
      await monitor.snooze(SERVER, { approvalId: 'new', round: 1, until: clock.now() + HOUR });
      for (const [ms, expected] of [
        [0, 2],
        [2 * HOUR, 3],
      ] as const) {
        monitor.stop();
        clock.sleep(ms);
        monitor = startMonitor();
        monitor.check();
        monitor.setSessions([createSession()]);
        await advanceAndWait(1_000);
        expect(count).to.equal(expected);
      }
      expect(describeShown().at(-1)).to.equal('reminder one new');
    });

    it('should end when the approval is due', async () => {
      client.byId.set('due', createApproval('due', { dueAt: new Date(clock.now() + HOUR).toISOString() }));
      monitor.onChange(SERVER, createChange('due'));
      await advanceAndWait(1_000);
      await monitor.snooze(SERVER, { approvalId: 'due', round: 1, until: clock.now() + 5 * HOUR });
      expect(count).to.equal(2);
      await advanceAndWait(HOUR);
      expect(count).to.equal(3);
    });

    it('should not apply to a new round of the approval', async () => {
      await requestApprovals('new');
      await monitor.snooze(SERVER, { approvalId: 'new', round: 1, until: clock.now() + HOUR });
      client.byId.set('new', createApproval('new', { round: 2 }));
      monitor.onChange(SERVER, createChange('new'));
      await advanceAndWait(1_000);
      expect(count).to.equal(3);
    });

    it('should show no notification when the user ends it early', async () => {
      await requestApprovals('new');
      await monitor.snooze(SERVER, { approvalId: 'new', round: 1, until: clock.now() + HOUR });
      const shownCount = shown.length;
      monitor.wake(SERVER, { approvalId: 'new', round: 1 });
      await advanceAndWait(2 * HOUR);
      expect({ count, shown: shown.length }).to.deep.equal({ count: 3, shown: shownCount });
    });

    it('should be refused for an unknown approval, another round, a past time or a time too far ahead', async () => {
      const until = clock.now() + HOUR;
      expect(await monitor.snooze(SERVER, { approvalId: 'none', round: 1, until })).to.equal(false);
      expect(await monitor.snooze(SERVER, { approvalId: 'old-1', round: 2, until })).to.equal(false);
      expect(await monitor.snooze(SERVER, { approvalId: 'old-1', round: 1, until: clock.now() })).to.equal(false);
      expect(
        await monitor.snooze(SERVER, { approvalId: 'old-1', round: 1, until: clock.now() + 40 * 24 * HOUR }),
      ).to.equal(false);
      expect(count).to.equal(2);
    });

    it('should be dropped when another person decides the approval', async () => {
      await monitor.snooze(SERVER, { approvalId: 'old-1', round: 1, until: clock.now() + HOUR });
      client.byId.delete('old-1');
      monitor.onChange(SERVER, createChange('old-1', 'approval.resolved'));
      await advanceAndWait(1_000);
      expect(monitor.listSnoozed(SERVER)).to.deep.equal([]);
    });
  });

  describe('questions', () => {
    beforeEach(async () => {
      client.questionsById.set('ask', createQuestion('ask'));
      shown.length = 0;
      monitor.setSessions([createSession({ listsQuestions: true })]);
      await advanceAndWait(1_000);
    });

    it('should be counted in the order of the inbox, and trigger one notification, also after a restart', async () => {
      expect(monitor.waiting.items.map(getItemId)).to.deep.equal(['ask', 'old-1', 'old-2']);
      expect({ count, shown: describeShown() }).to.deep.equal({ count: 3, shown: ['one ask'] });
      monitor.stop();
      monitor = startMonitor();
      monitor.setSessions([createSession({ listsQuestions: true })]);
      await advanceAndWait(1_000);
      expect({ count, shown: describeShown() }).to.deep.equal({ count: 3, shown: ['one ask'] });
    });

    it('should no longer be counted, and withdraw their notification, when somebody answers', async () => {
      client.questionsById.set('ask', createQuestion('ask', { status: 'answered' }));
      monitor.onChange(SERVER, createQuestionChange('ask', 'question.answered'));
      await advanceAndWait(1_000);
      expect({ count, withdrawn: withdrawn.at(-1) }).to.deep.equal({ count: 2, withdrawn: shown[0]?.id });
    });

    it('should no longer be counted when the user loses the role', async () => {
      monitor.setSessions([createSession()]);
      await advanceAndWait(1_000);
      expect(count).to.equal(2);
    });

    it('should not end the snooze of an approval', async () => {
      await monitor.snooze(SERVER, { approvalId: 'old-1', round: 1, until: clock.now() + HOUR });
      monitor.onChange(SERVER, createQuestionChange('ask'));
      await advanceAndWait(1_000);
      expect(monitor.listSnoozed(SERVER).map(({ approvalId }) => approvalId)).to.deep.equal(['old-1']);
      expect(monitor.waiting.items.map(getItemId)).to.deep.equal(['ask', 'old-2']);
    });

    it('should not end the snoozes of approvals that could not be loaded', async () => {
      await monitor.snooze(SERVER, { approvalId: 'old-1', round: 1, until: clock.now() + HOUR });
      monitor.stop();
      client.isFailing = true;
      monitor = startMonitor();
      monitor.setSessions([createSession({ listsQuestions: true })]);
      await advanceAndWait(1_000);
      expect(monitor.listSnoozed(SERVER).map(({ approvalId }) => approvalId)).to.deep.equal(['old-1']);
      expect(monitor.waiting.isKnown).to.equal(false);
    });

    it('should be in one summary with the approvals at the first sign-in', async () => {
      monitor.stop();
      shown.length = 0;
      storage = {};
      monitor = startMonitor();
      monitor.setSessions([createSession({ listsQuestions: true })]);
      await advanceAndWait(1_000);
      expect(describeShown()).to.deep.equal(['summary ask,old-1,old-2']);
    });
  });

  it('should store nothing about a server after forgetServer()', async () => {
    // given
    await monitor.snooze(SERVER, { approvalId: 'old-1', round: 1, until: clock.now() + HOUR });
    expect([monitor.listSnoozed(SERVER).length, Object.keys(storage.value?.told ?? {})]).to.deep.equal([1, [SERVER]]);
    // when
    monitor.setSessions([]);
    monitor.forgetServer(SERVER);
    // then
    expect([monitor.listSnoozed(SERVER), storage.value?.told, storage.value?.snoozed]).to.deep.equal([[], {}, []]);
  });

  it('should show no notifications until the mute ends and then summarize the new approvals', async () => {
    // given
    monitor.mute(clock.now() + HOUR);
    shown.length = 0;
    await requestApprovals('a', 'b', 'c', 'd');
    expect(describeShown()).to.deep.equal([]);
    expect(count).to.equal(6);
    // when
    await advanceAndWait(HOUR);
    // then
    expect(describeShown()).to.deep.equal(['summary a,b,c,d']);
    expect(monitor.mutedUntil).to.equal(null);
  });
});
