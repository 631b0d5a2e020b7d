import { expect } from 'chai';
import { Announcer, type Announcement, type Circumstances } from './announcer.js';
import type { KeptPresence } from './presence-file.js';
import { fileInMemory } from './presence-file.spec.support.js';
import { anItem, SERVER } from './presence.spec.support.js';
import { NotifiedApprovals } from './notified-approvals.js';
import { keyOf } from './waiting-item.js';

const USUAL: Circumstances = { level: 'all', quiet: false, attended: false, first: new Set(), woken: new Set() };

describe('Announcer', () => {
  let disk: { value?: KeptPresence };
  let announcer: Announcer;

  const announcerOf = (): Announcer => {
    const notified = new NotifiedApprovals(fileInMemory(disk));
    notified.begin(SERVER, 'ada');
    return new Announcer(notified);
  };

  beforeEach(() => {
    disk = {};
    announcer = announcerOf();
  });

  const ids = (announcements: readonly Announcement[]): (readonly string[])[] =>
    announcements.map(({ items }) => items.map(({ approvalId }) => approvalId));
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((id) => anItem(id)) as [
    ReturnType<typeof anItem>,
    ReturnType<typeof anItem>,
    ReturnType<typeof anItem>,
    ReturnType<typeof anItem>,
  ];

  it('should notify about each approval once, also after a restart, and again in a new round', () => {
    expect(ids(announcer.update([one], USUAL).show)).to.deep.equal([['one']]);
    expect(announcer.update([one], USUAL).show).to.deep.equal([]);
    expect(announcerOf().update([one], USUAL).show).to.deep.equal([]);
    expect(ids(announcer.update([anItem('one', { round: 2 })], USUAL).show)).to.deep.equal([['one']]);
  });

  it('should forget the notified approvals when another person signs in', () => {
    announcer.update([one], USUAL);
    const notified = new NotifiedApprovals(fileInMemory(disk));
    expect(notified.begin(SERVER, 'bea')).to.equal(true);
    expect(notified.has(one)).to.equal(false);
  });

  it('should notify about the approval with the highest risk first', () => {
    expect(ids(announcer.update([one, anItem('risky', { riskLevel: 'high' }), two], USUAL).show)).to.deep.equal([
      ['risky'],
      ['one'],
      ['two'],
    ]);
  });

  it('should replace the visible notifications with one summary when many approvals wait', () => {
    // given
    const [first] = announcer.update([one], USUAL).show;
    // when
    const { show, withdraw } = announcer.update([one, two, three, four], USUAL);
    // then
    expect(ids(show)).to.deep.equal([['four', 'one', 'three', 'two']]);
    expect(show[0]?.kind).to.equal('summary');
    expect(withdraw).to.deep.equal([first?.id]);
  });

  it('should not count notifications that the person has closed towards a summary', () => {
    for (const { id } of announcer.update([one, two], USUAL).show) announcer.gone(id);
    expect(ids(announcer.update([one, two, three, four], USUAL).show)).to.deep.equal([['four'], ['three']]);
  });

  it('should withdraw a notification when none of its approvals waits any longer', () => {
    const [{ id: single } = { id: -1 }] = announcer.update([one], USUAL).show;
    expect(announcer.update([], USUAL)).to.deep.equal({ show: [], withdraw: [single] });
    expect(announcer.update([], USUAL).withdraw).to.deep.equal([]);
    const many = ['a', 'b', 'c', 'd'].map((id) => anItem(id));
    const [{ id: summary } = { id: -1 }] = announcer.update(many, USUAL).show;
    expect(announcer.update(many.slice(0, 1), USUAL).withdraw).to.deep.equal([]);
    expect(announcer.update([], USUAL).withdraw).to.deep.equal([summary]);
  });

  it('should summarize the waiting approvals at the first sign-in to a server', () => {
    const { show } = announcer.update([one, two], { ...USUAL, first: new Set([SERVER]) });
    expect(show.map(({ kind, items }) => [kind, items.length])).to.deep.equal([['summary', 2]]);
  });

  it('should never notify about an approval that was already visible in the inbox', () => {
    expect(announcer.update([one], { ...USUAL, attended: true }).show).to.deep.equal([]);
    expect(announcer.update([one], USUAL).show).to.deep.equal([]);
  });

  it('should notify about high risk only or not at all, as the notification level requires', () => {
    expect(
      ids(announcer.update([one, anItem('risky', { riskLevel: 'critical' })], { ...USUAL, level: 'high' }).show),
    ).to.deep.equal([['risky']]);
    expect(announcer.update([two], { ...USUAL, level: 'off' }).show).to.deep.equal([]);
    expect(announcer.update([one, two], USUAL).show).to.deep.equal([]);
  });

  it('should postpone notifications while they are muted', () => {
    expect(announcer.update([one, two], { ...USUAL, quiet: true }).show).to.deep.equal([]);
    expect(ids(announcer.update([two], USUAL).show)).to.deep.equal([['two']]);
  });

  it('should remind of a snoozed approval even if the inbox is visible or only high risk is notified', () => {
    const { show } = announcer.update([one], { ...USUAL, attended: true, level: 'high', woken: new Set([keyOf(one)]) });
    expect(show.map(({ reminds }) => reminds)).to.deep.equal([true]);
  });
});
