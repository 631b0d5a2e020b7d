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

  it('should tell of each approval once, also after a restart, and again in another round', () => {
    expect(ids(announcer.update([one], USUAL).show)).to.deep.equal([['one']]);
    expect(announcer.update([one], USUAL).show).to.deep.equal([]);
    expect(announcerOf().update([one], USUAL).show).to.deep.equal([]);
    expect(ids(announcer.update([anItem('one', { round: 2 })], USUAL).show)).to.deep.equal([['one']]);
  });

  it('should tell of it again where somebody else is signed in', () => {
    announcer.update([one], USUAL);
    const notified = new NotifiedApprovals(fileInMemory(disk));
    expect(notified.begin(SERVER, 'bea')).to.equal(true);
    expect(notified.has(one)).to.equal(false);
  });

  it('should begin with the highest risk', () => {
    expect(ids(announcer.update([one, anItem('risky', { riskLevel: 'high' }), two], USUAL).show)).to.deep.equal([
      ['risky'],
      ['one'],
      ['two'],
    ]);
  });

  it('should make one of many, in the place of those in sight', () => {
    // given
    const [first] = announcer.update([one], USUAL).show;
    // when
    const { show, withdraw } = announcer.update([one, two, three, four], USUAL);
    // then
    expect(ids(show)).to.deep.equal([['four', 'one', 'three', 'two']]);
    expect(show[0]?.kind).to.equal('summary');
    expect(withdraw).to.deep.equal([first?.id]);
  });

  it('should not count those that the person has closed', () => {
    for (const { id } of announcer.update([one, two], USUAL).show) announcer.gone(id);
    expect(ids(announcer.update([one, two, three, four], USUAL).show)).to.deep.equal([['four'], ['three']]);
  });

  it('should withdraw what does not wait any more, of several when none of them does', () => {
    const [{ id: single } = { id: -1 }] = announcer.update([one], USUAL).show;
    expect(announcer.update([], USUAL)).to.deep.equal({ show: [], withdraw: [single] });
    expect(announcer.update([], USUAL).withdraw).to.deep.equal([]);
    const many = ['a', 'b', 'c', 'd'].map((id) => anItem(id));
    const [{ id: summary } = { id: -1 }] = announcer.update(many, USUAL).show;
    expect(announcer.update(many.slice(0, 1), USUAL).withdraw).to.deep.equal([]);
    expect(announcer.update([], USUAL).withdraw).to.deep.equal([summary]);
  });

  it('should sum up what was there when somebody signed in for the first time', () => {
    const { show } = announcer.update([one, two], { ...USUAL, first: new Set([SERVER]) });
    expect(show.map(({ kind, items }) => [kind, items.length])).to.deep.equal([['summary', 2]]);
  });

  it('should never notify about an approval that was already visible in the inbox', () => {
    expect(announcer.update([one], { ...USUAL, attended: true }).show).to.deep.equal([]);
    expect(announcer.update([one], USUAL).show).to.deep.equal([]);
  });

  it('should tell of high risk alone, or of nothing, where that is wanted', () => {
    expect(
      ids(announcer.update([one, anItem('risky', { riskLevel: 'critical' })], { ...USUAL, level: 'high' }).show),
    ).to.deep.equal([['risky']]);
    expect(announcer.update([two], { ...USUAL, level: 'off' }).show).to.deep.equal([]);
    expect(announcer.update([one, two], USUAL).show).to.deep.equal([]);
  });

  it('should keep for later what comes while it has to be quiet', () => {
    expect(announcer.update([one, two], { ...USUAL, quiet: true }).show).to.deep.equal([]);
    expect(ids(announcer.update([two], USUAL).show)).to.deep.equal([['two']]);
  });

  it('should remind of what was put off, also somebody who looks, or who wants high risk alone', () => {
    const { show } = announcer.update([one], { ...USUAL, attended: true, level: 'high', woken: new Set([keyOf(one)]) });
    expect(show.map(({ reminds }) => reminds)).to.deep.equal([true]);
  });
});
