import { expect } from 'chai';
import { leaveOutNotes, toElementPosition } from './leave-out-notes.js';
import { growViewedShare } from './seen-evidence.js';

describe('leaveOutNotes', () => {
  const notes = [
    { top: 100, bottom: 400 },
    { top: 500, bottom: 550 },
  ];

  it('should change nothing if there are no notes', () => {
    expect(leaveOutNotes({ top: 10, bottom: 90, height: 500 }, [])).to.deep.equal({ top: 10, bottom: 90, height: 500 });
  });

  it('should subtract the heights of the notes above a position', () => {
    expect(leaveOutNotes({ top: 50, bottom: 450, height: 1_000 }, notes)).to.deep.equal({
      top: 50,
      bottom: 150,
      height: 650,
    });
  });

  it('should subtract the part of a note that is above a position within it', () => {
    expect(leaveOutNotes({ top: 300, bottom: 520, height: 1_000 }, notes)).to.deep.equal({
      top: 100,
      bottom: 200,
      height: 650,
    });
  });

  it('should return an empty part if only a note is in view, so that nothing counts as seen', () => {
    // given
    const part = leaveOutNotes({ top: 150, bottom: 350, height: 1_000 }, notes);
    // then
    expect(part).to.deep.equal({ top: 100, bottom: 100, height: 650 });
    expect(growViewedShare(0.1, part)).to.equal(0.1);
  });

  it('should return the same part of the content before and after a note arrives', () => {
    const before = leaveOutNotes({ top: 0, bottom: 460, height: 920 }, []);
    const after = leaveOutNotes({ top: 0, bottom: 2_460, height: 2_920 }, [{ top: 20, bottom: 2_020 }]);
    expect(after).to.deep.equal(before);
    expect(growViewedShare(0, after)).to.equal(0.5);
  });

  it('should keep an element out of view empty', () => {
    const { top, bottom } = leaveOutNotes({ top: 0, bottom: -50, height: 1_000 }, notes);
    expect(bottom).to.be.below(top);
  });
});

describe('toElementPosition', () => {
  const notes = [
    { top: 500, bottom: 550 },
    { top: 100, bottom: 400 },
  ];

  it('should add the heights of the notes above a position of the content', () => {
    expect(toElementPosition(50, notes)).to.equal(50);
    expect(toElementPosition(150, notes)).to.equal(450);
    expect(toElementPosition(250, notes)).to.equal(600);
  });

  it('should return the top of a note for its position', () => {
    expect(toElementPosition(100, notes)).to.equal(100);
    expect(toElementPosition(200, notes)).to.equal(500);
  });
});
