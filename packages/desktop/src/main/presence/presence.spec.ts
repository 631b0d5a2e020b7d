import { expect } from 'chai';
import type { NotificationLevel } from '../../common/presence.js';
import type { Announcement } from './announcer.js';
import { HandClock } from './clock.spec.support.js';
import type { KeptPresence } from './presence-file.js';
import { fileInMemory } from './presence-file.spec.support.js';
import { presenceTexts } from './presence-texts.js';
import { PendingApprovalsMonitor, type PresenceSession } from './presence.js';
import { anApproval, ApprovalsInMemory, changeOf, SERVER, settled } from './presence.spec.support.js';

const HOUR = 60 * 60_000;

describe('PendingApprovalsMonitor', () => {
  let clock: HandClock;
  let client: ApprovalsInMemory;
  let disk: { value?: KeptPresence };
  let shown: Announcement[];
  let withdrawn: number[];
  let count: number;
  let level: NotificationLevel;
  let presence: PendingApprovalsMonitor;

  const begin = (): PendingApprovalsMonitor =>
    new PendingApprovalsMonitor({
      clock,
      file: fileInMemory(disk),
      level: () => level,
      isAttended: () => false,
      show: (announcement) => shown.push(announcement),
      withdraw: (id) => withdrawn.push(id),
      onWaiting: ({ items }) => (count = items.length),
    });
  const session = (more: Partial<PresenceSession> = {}): PresenceSession => ({
    serverId: SERVER,
    subject: 'ada',
    feed: 'live',
    client,
    ...more,
  });
  const after = async (ms: number): Promise<void> => {
    clock.pass(ms);
    await settled();
  };
  const asked = async (...ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      client.byId.set(id, anApproval(id));
      presence.changed(SERVER, changeOf(id));
    }
    await after(1_000);
  };
  const said = (): string[] =>
    shown.map(
      ({ kind, reminds, items }) =>
        `${reminds ? 'again ' : ''}${kind} ${items.map(({ approvalId }) => approvalId).join()}`,
    );

  beforeEach(async () => {
    clock = new HandClock();
    client = new ApprovalsInMemory(anApproval('old-1'), anApproval('old-2'));
    disk = {};
    shown = [];
    withdrawn = [];
    level = 'all';
    presence = begin();
    presence.sessions([session()]);
    await after(1_000);
  });

  it('should show a summary at the first sign-in and a notification for each new approval, and count both', async () => {
    await asked('new');
    expect(said()).to.deep.equal(['summary old-1,old-2', 'one new']);
    expect(count).to.equal(3);
  });

  it('should not report an empty inbox before the list is loaded', async () => {
    // given
    const tooltips: string[] = [];
    const fresh = new PendingApprovalsMonitor({
      clock,
      file: fileInMemory({}),
      level: () => level,
      isAttended: () => true,
      show: () => undefined,
      withdraw: () => undefined,
      onWaiting: (waiting) => tooltips.push(presenceTexts.waiting(waiting)),
    });
    client.byId.clear();
    // when
    fresh.sessions([session()]);
    await after(1_000);
    fresh.stop();
    // then
    expect(tooltips).to.deep.equal([
      'Loading your approvals',
      'Nothing is waiting for you',
      'Nothing is waiting for you',
    ]);
  });

  it('should withdraw the notification and lower the count when another person decides an approval', async () => {
    await asked('new');
    client.byId.set('new', anApproval('new', { status: 'approved' }));
    presence.changed(SERVER, changeOf('new', 'approval.resolved'));
    await after(1_000);
    expect(withdrawn).to.deep.equal([shown[1]?.id]);
    expect(count).to.equal(2);
  });

  it('should notify only about approvals that arrived during a restart', async () => {
    // given
    presence.stop();
    shown.length = 0;
    client.byId.set('meanwhile', anApproval('meanwhile'));
    // when
    presence = begin();
    presence.sessions([session()]);
    await after(1_000);
    // then
    expect(said()).to.deep.equal(['one meanwhile']);
  });

  it('should drop the waiting approvals and withdraw their notifications after a sign-out', async () => {
    await asked('new');
    presence.sessions([]);
    expect(count).to.equal(0);
    expect(withdrawn).to.have.members(shown.map(({ id }) => id));
  });

  it('should send no requests after a sign-out', async () => {
    client.asked.length = 0;
    presence.changed(SERVER, changeOf('old-1', 'approval.voted'));
    presence.sessions([]);
    await after(60_000);
    expect(client.asked).to.deep.equal([]);
  });

  it('should reload the list when the feed is live again, and at intervals while the feed is broken', async () => {
    client.asked.length = 0;
    presence.sessions([session({ feed: 'polling' })]);
    client.byId.set('unheard', anApproval('unheard'));
    await after(15_001);
    await after(15_001);
    expect(client.asked).to.deep.equal(['list', 'list']);
    expect(count).to.equal(3);
    presence.sessions([session()]);
    await after(60_000);
    expect(client.asked).to.deep.equal(['list', 'list', 'list']);
  });

  describe('snoozing', () => {
    it('should hide an approval until the end of the snooze and remind of it then', async () => {
      await asked('new');
      expect(await presence.snooze(SERVER, { approvalId: 'new', round: 1, until: clock.now() + HOUR })).to.equal(true);
      expect(count).to.equal(2);
      expect(withdrawn).to.include(shown[1]?.id);
      expect(presence.snoozed(SERVER).map(({ approvalId }) => approvalId)).to.deep.equal(['new']);
      await after(HOUR);
      expect(count).to.equal(3);
      expect(said().at(-1)).to.equal('again one new');
    });

    it('should remind of an approval if the snooze ended while the machine was asleep', async () => {
      await asked('new');
      await presence.snooze(SERVER, { approvalId: 'new', round: 1, until: clock.now() + HOUR });
      clock.sleep(2 * HOUR);
      presence.look();
      expect(said().at(-1)).to.equal('again one new');
    });

    it('should survive a restart, also if the snooze ended in the meantime', async () => {
      await asked('new');
      await presence.snooze(SERVER, { approvalId: 'new', round: 1, until: clock.now() + HOUR });
      for (const [ms, expected] of [
        [0, 2],
        [2 * HOUR, 3],
      ] as const) {
        presence.stop();
        clock.sleep(ms);
        presence = begin();
        presence.look();
        presence.sessions([session()]);
        await after(1_000);
        expect(count).to.equal(expected);
      }
      expect(said().at(-1)).to.equal('again one new');
    });

    it('should end when the approval is due', async () => {
      client.byId.set('due', anApproval('due', { dueAt: new Date(clock.now() + HOUR).toISOString() }));
      presence.changed(SERVER, changeOf('due'));
      await after(1_000);
      await presence.snooze(SERVER, { approvalId: 'due', round: 1, until: clock.now() + 5 * HOUR });
      expect(count).to.equal(2);
      await after(HOUR);
      expect(count).to.equal(3);
    });

    it('should not apply to a new round of the approval', async () => {
      await asked('new');
      await presence.snooze(SERVER, { approvalId: 'new', round: 1, until: clock.now() + HOUR });
      client.byId.set('new', anApproval('new', { round: 2 }));
      presence.changed(SERVER, changeOf('new'));
      await after(1_000);
      expect(count).to.equal(3);
    });

    it('should show no notification when the person ends it early', async () => {
      await asked('new');
      await presence.snooze(SERVER, { approvalId: 'new', round: 1, until: clock.now() + HOUR });
      const before = shown.length;
      presence.wake(SERVER, { approvalId: 'new', round: 1 });
      await after(2 * HOUR);
      expect({ count, shown: shown.length }).to.deep.equal({ count: 3, shown: before });
    });

    it('should be refused for an unknown approval, another round, a past time or a time too far ahead', async () => {
      const until = clock.now() + HOUR;
      expect(await presence.snooze(SERVER, { approvalId: 'none', round: 1, until })).to.equal(false);
      expect(await presence.snooze(SERVER, { approvalId: 'old-1', round: 2, until })).to.equal(false);
      expect(await presence.snooze(SERVER, { approvalId: 'old-1', round: 1, until: clock.now() })).to.equal(false);
      expect(
        await presence.snooze(SERVER, { approvalId: 'old-1', round: 1, until: clock.now() + 40 * 24 * HOUR }),
      ).to.equal(false);
      expect(count).to.equal(2);
    });

    it('should be dropped when another person decides the approval', async () => {
      await presence.snooze(SERVER, { approvalId: 'old-1', round: 1, until: clock.now() + HOUR });
      client.byId.delete('old-1');
      presence.changed(SERVER, changeOf('old-1', 'approval.resolved'));
      await after(1_000);
      expect(presence.snoozed(SERVER)).to.deep.equal([]);
    });
  });

  it('should store nothing about a server after forgetServer()', async () => {
    // given
    await presence.snooze(SERVER, { approvalId: 'old-1', round: 1, until: clock.now() + HOUR });
    expect([presence.snoozed(SERVER).length, Object.keys(disk.value?.told ?? {})]).to.deep.equal([1, [SERVER]]);
    // when
    presence.sessions([]);
    presence.forgetServer(SERVER);
    // then
    expect([presence.snoozed(SERVER), disk.value?.told, disk.value?.snoozed]).to.deep.equal([[], {}, []]);
  });

  it('should be muted until the chosen time and then summarize the new approvals', async () => {
    // given
    presence.quiet(clock.now() + HOUR);
    shown.length = 0;
    await asked('a', 'b', 'c', 'd');
    expect(said()).to.deep.equal([]);
    expect(count).to.equal(6);
    // when
    await after(HOUR);
    // then
    expect(said()).to.deep.equal(['summary a,b,c,d']);
    expect(presence.quietUntil).to.equal(null);
  });
});
