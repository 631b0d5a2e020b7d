import { expect } from 'chai';
import { createApproval } from './inbox.spec.support.js';
import { getEvidenceKey } from './decision-requirements.js';
import {
  growViewedShare,
  countsAsOpened,
  limitShare,
  getOpenedKeys,
  toPercent,
  toShownEvidence,
  MIN_OPENED_PX,
  addSeenEvidence,
  type SeenEvidenceByKey,
} from './seen-evidence.js';

describe('inbox: seen evidence', () => {
  it('should increase its viewed share with the parts in view, but not when the user skips to the end', () => {
    expect(growViewedShare(0, { top: 0, bottom: 460, height: 920 })).to.equal(0.5);
    expect(growViewedShare(0.5, { top: 600, bottom: 920, height: 920 }), 'skipped').to.equal(0.5);
    expect(growViewedShare(0.5, { top: 300, bottom: 919.4, height: 920 }), 'to the end').to.equal(1);
    expect(growViewedShare(0.5, { top: 0, bottom: 100, height: 920 }), 'back').to.equal(0.5);
    expect(growViewedShare(0, { top: 0, bottom: 0, height: 920 }), 'out of sight').to.equal(0);
  });

  it('should not be complete before its right edge was in view', () => {
    expect(limitShare(0.5)).to.equal(0.5);
    expect(toPercent({ viewedShare: limitShare(1) })).to.equal(99);
  });

  it('should count as opened at its end or, if it is long, after its first part', () => {
    expect(countsAsOpened(0.9, MIN_OPENED_PX)).to.equal(false);
    expect(countsAsOpened(1, MIN_OPENED_PX)).to.equal(true);
    expect(countsAsOpened(0.01, MIN_OPENED_PX * 100)).to.equal(true);
    expect(countsAsOpened(0.005, MIN_OPENED_PX * 100)).to.equal(false);
  });

  it('should be reported with its name, digest, percentage and download', () => {
    // given
    const [notes, missingEvidence] = [
      { name: 'notes.md', version: 1, sha256: 'a'.repeat(64) },
      { name: 'missing.md', version: null, sha256: null },
    ];
    const { subject } = createApproval();
    const approval = { subject: { ...subject, evidence: [notes, missingEvidence] } };
    // when
    let seen: SeenEvidenceByKey = addSeenEvidence(new Map(), getEvidenceKey(notes), { viewedShare: 0.999 });
    seen = addSeenEvidence(seen, getEvidenceKey(notes), { downloaded: true });
    seen = addSeenEvidence(seen, getEvidenceKey({ ...notes, sha256: 'b'.repeat(64) }), {
      viewedShare: 1,
      isOpened: true,
    });
    // then
    expect(toShownEvidence(approval, seen)).to.deep.equal([
      { name: 'notes.md', sha256: notes.sha256, percent: 99, downloaded: true },
    ]);
    expect(seen.get(getEvidenceKey(notes))).to.include({ isOpened: true });
    expect(toShownEvidence(approval, new Map())).to.deep.equal([]);
    expect(toShownEvidence({ subject: { ...subject, evidence: [] } }, seen)).to.equal(undefined);
    expect(toPercent({ viewedShare: 1 })).to.equal(100);
  });

  it('should keep the layouts of each view, and the share of the view of which most was seen', () => {
    // given
    const layout = { width: 600, height: 1_000, share: 0.6, seenWidth: 0 };
    const [plain, formatted] = [[layout], [{ ...layout, share: 0.3 }]];
    // when
    let seen = addSeenEvidence(new Map(), 'key', { viewedShare: 0.6, layouts: { plain } });
    seen = addSeenEvidence(seen, 'key', { viewedShare: 0.3, layouts: { formatted } });
    // then
    expect(seen.get('key')).to.deep.equal({
      viewedShare: 0.6,
      layouts: { plain, formatted },
      isOpened: false,
      downloaded: false,
    });
    expect(addSeenEvidence(seen, 'key', { viewedShare: 0.3, layouts: { formatted } })).to.equal(seen);
  });

  it('should return only the keys of evidence that counts as opened', () => {
    const seen = addSeenEvidence(
      addSeenEvidence(new Map(), 'read', { viewedShare: 1, isOpened: true }),
      'partly-viewed',
      {
        viewedShare: 0.4,
      },
    );
    expect([...getOpenedKeys(addSeenEvidence(seen, 'downloaded', { downloaded: true }))]).to.deep.equal([
      'read',
      'downloaded',
    ]);
  });
});
