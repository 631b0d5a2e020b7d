import { expect } from 'chai';
import { NotificationPlanner, type Announcement, type NotificationContext } from './notification-planner.js';
import type { StoredPresence } from './presence-file.js';
import { createInMemoryPresenceFile } from './presence-file.spec.support.js';
import { createItem, createQuestionItem, SERVER } from './waiting-items-monitor.spec.support.js';
import { NotifiedItems } from './notified-items.js';
import { getItemId, getWaitingItemKey } from './waiting-item.js';

const DEFAULT_CONTEXT: NotificationContext = {
  level: 'all',
  isMuted: false,
  isInboxInView: false,
  newServerIds: new Set(),
  unsnoozedKeys: new Set(),
};

describe('NotificationPlanner', () => {
  let storage: { value?: StoredPresence };
  let planner: NotificationPlanner;

  const createPlanner = (): NotificationPlanner => {
    const notified = new NotifiedItems(createInMemoryPresenceFile(storage));
    notified.startTracking(SERVER, 'ada');
    return new NotificationPlanner(notified);
  };

  beforeEach(() => {
    storage = {};
    planner = createPlanner();
  });

  const toIds = (announcements: readonly Announcement[]): (readonly string[])[] =>
    announcements.map(({ items }) => items.map(getItemId));
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((id) => createItem(id)) as [
    ReturnType<typeof createItem>,
    ReturnType<typeof createItem>,
    ReturnType<typeof createItem>,
    ReturnType<typeof createItem>,
  ];

  it('should notify about each approval once, also after a restart, and again in a new round', () => {
    expect(toIds(planner.update([one], DEFAULT_CONTEXT).show)).to.deep.equal([['one']]);
    expect(planner.update([one], DEFAULT_CONTEXT).show).to.deep.equal([]);
    expect(createPlanner().update([one], DEFAULT_CONTEXT).show).to.deep.equal([]);
    expect(toIds(planner.update([createItem('one', { round: 2 })], DEFAULT_CONTEXT).show)).to.deep.equal([['one']]);
  });

  it('should forget the notified approvals when another person signs in', () => {
    planner.update([one], DEFAULT_CONTEXT);
    const notified = new NotifiedItems(createInMemoryPresenceFile(storage));
    expect(notified.startTracking(SERVER, 'bea')).to.equal(true);
    expect(notified.has(one)).to.equal(false);
  });

  it('should notify about the approval with the highest risk first', () => {
    expect(
      toIds(planner.update([one, createItem('risky', { riskLevel: 'high' }), two], DEFAULT_CONTEXT).show),
    ).to.deep.equal([['risky'], ['one'], ['two']]);
  });

  it('should replace the visible notifications with one summary when many approvals wait', () => {
    // given
    const [first] = planner.update([one], DEFAULT_CONTEXT).show;
    // when
    const { show, withdraw } = planner.update([one, two, three, four], DEFAULT_CONTEXT);
    // then
    expect(toIds(show)).to.deep.equal([['four', 'one', 'three', 'two']]);
    expect(show[0]?.kind).to.equal('summary');
    expect(withdraw).to.deep.equal([first?.id]);
  });

  it('should not count notifications that the person has closed towards a summary', () => {
    for (const { id } of planner.update([one, two], DEFAULT_CONTEXT).show) planner.onClosed(id);
    expect(toIds(planner.update([one, two, three, four], DEFAULT_CONTEXT).show)).to.deep.equal([['four'], ['three']]);
  });

  it('should withdraw a notification when none of its approvals waits any longer', () => {
    const [{ id: singleId } = { id: -1 }] = planner.update([one], DEFAULT_CONTEXT).show;
    expect(planner.update([], DEFAULT_CONTEXT)).to.deep.equal({ show: [], withdraw: [singleId] });
    expect(planner.update([], DEFAULT_CONTEXT).withdraw).to.deep.equal([]);
    const fourItems = ['a', 'b', 'c', 'd'].map((id) => createItem(id));
    const [{ id: summaryId } = { id: -1 }] = planner.update(fourItems, DEFAULT_CONTEXT).show;
    expect(planner.update(fourItems.slice(0, 1), DEFAULT_CONTEXT).withdraw).to.deep.equal([]);
    expect(planner.update([], DEFAULT_CONTEXT).withdraw).to.deep.equal([summaryId]);
  });

  it('should summarize the waiting approvals at the first sign-in to a server', () => {
    const { show } = planner.update([one, two], { ...DEFAULT_CONTEXT, newServerIds: new Set([SERVER]) });
    expect(show.map(({ kind, items }) => [kind, items.length])).to.deep.equal([['summary', 2]]);
  });

  it('should never notify about an approval that was already visible in the inbox', () => {
    expect(planner.update([one], { ...DEFAULT_CONTEXT, isInboxInView: true }).show).to.deep.equal([]);
    expect(planner.update([one], DEFAULT_CONTEXT).show).to.deep.equal([]);
  });

  it('should notify only about high-risk approvals or not at all, depending on the notification level', () => {
    expect(
      toIds(
        planner.update([one, createItem('risky', { riskLevel: 'critical' })], { ...DEFAULT_CONTEXT, level: 'high' })
          .show,
      ),
    ).to.deep.equal([['risky']]);
    expect(planner.update([two], { ...DEFAULT_CONTEXT, level: 'off' }).show).to.deep.equal([]);
    expect(planner.update([one, two], DEFAULT_CONTEXT).show).to.deep.equal([]);
  });

  it('should notify about questions as about approvals, but not if only those with a high risk are notified', () => {
    expect(toIds(planner.update([one, createQuestionItem('ask')], DEFAULT_CONTEXT).show)).to.deep.equal([
      ['ask'],
      ['one'],
    ]);
    expect(planner.update([createQuestionItem('ask')], DEFAULT_CONTEXT).show).to.deep.equal([]);
    expect(planner.update([createQuestionItem('later')], { ...DEFAULT_CONTEXT, level: 'high' }).show).to.deep.equal([]);
  });

  it('should postpone notifications while they are muted', () => {
    expect(planner.update([one, two], { ...DEFAULT_CONTEXT, isMuted: true }).show).to.deep.equal([]);
    expect(toIds(planner.update([two], DEFAULT_CONTEXT).show)).to.deep.equal([['two']]);
  });

  it('should remind the user of a snoozed approval even if the inbox is visible or only high-risk approvals are notified', () => {
    const { show } = planner.update([one], {
      ...DEFAULT_CONTEXT,
      isInboxInView: true,
      level: 'high',
      unsnoozedKeys: new Set([getWaitingItemKey(one)]),
    });
    expect(show.map(({ isReminder }) => isReminder)).to.deep.equal([true]);
  });
});
