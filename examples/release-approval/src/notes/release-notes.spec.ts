import { expect } from 'chai';
import type { Commit } from '../git/read-commits.js';
import { countExcluded, buildReleaseNotes } from './release-notes.js';
import { NO_REVIEW, applyComment } from './review.js';

let commitCount = 0;
function createCommit(subject: string, overrides: Partial<Commit> = {}): Commit {
  commitCount += 1;
  return {
    id: String(commitCount)
      .padStart(40, '0')
      .replace(/^0{10}/, 'abcdef0123'),
    parents: ['p'],
    author: 'Ann',
    authoredAt: '2026-01-01T00:00:00.000Z',
    subject,
    body: '',
    ...overrides,
  };
}

const buildNotes = (commits: readonly Commit[], review = NO_REVIEW) =>
  buildReleaseNotes({
    version: '1.2.0',
    from: { revision: 'v1.1.0', commit: 'a'.repeat(40) },
    to: { revision: 'b'.repeat(12), commit: 'b'.repeat(40) },
    commits,
    review,
  });

describe('buildReleaseNotes', () => {
  it('should group the commits by type, with breaking changes first', () => {
    const notes = buildNotes([
      createCommit('Merge branch "x"', { parents: ['a', 'b'] }),
      createCommit('chore: tidy'),
      createCommit('feat(core)!: turn it around'),
      createCommit('fix: repair', { body: 'x\n\nBREAKING CHANGE: the old way is gone' }),
      createCommit('FEAT: new'),
      createCommit('fix(server): <b>repair</b> it'),
      createCommit('no convention: here'),
      createCommit('wip(x): odd type'),
      createCommit('docs: say so'),
    ]);

    expect(notes).to.equal(
      [
        '# Release 1.2.0',
        '',
        '8 changes from `v1.1.0` (aaaaaaaaaa) to `bbbbbbbbbb`.',
        '',
        '## Breaking changes',
        '',
        '- **core:** turn it around (abcdef0123)',
        '- repair (abcdef0123)',
        '',
        '## Features',
        '',
        '- new (abcdef0123)',
        '',
        '## Fixes',
        '',
        '- **server:** \\<b\\>repair\\</b\\> it (abcdef0123)',
        '',
        '## Documentation',
        '',
        '- say so (abcdef0123)',
        '',
        '## Maintenance',
        '',
        '- tidy (abcdef0123)',
        '',
        '## Other changes',
        '',
        '- no convention: here (abcdef0123)',
        '- **x:** odd type (abcdef0123)',
        '',
      ].join('\n'),
    );
  });

  it('should omit the version from the heading when the version is null', () => {
    const end = { revision: 'HEAD', commit: 'c'.repeat(40) };

    const notes = buildReleaseNotes({
      version: null,
      from: end,
      to: end,
      commits: [createCommit('fix: x')],
      review: NO_REVIEW,
    });

    expect(notes).to.match(/^# Release notes\n\n1 change from /);
  });

  it('should exclude commits and add lines as the reviewers requested', () => {
    const keptCommit = createCommit('feat(api): kept');
    const droppedCommit = createCommit('fix: dropped', { id: 'feedbee1'.padEnd(40, '0') });
    const commits = [keptCommit, createCommit('ci: x'), createCommit('fix(Deps): y'), droppedCommit];
    const review = applyComment(
      NO_REVIEW,
      1,
      'exclude type CI\n- exclude scope deps\nexclude commit FEEDBEE\nadd Needs *Node* 20.',
    );

    const notes = buildNotes(commits, review);

    expect(countExcluded(commits, review)).to.equal(3);
    expect(notes).to.contain('1 change from').and.contain('\n- Needs \\*Node\\* 20.\n').and.contain('kept');
    expect(notes).to.not.match(/Fixes|Maintenance/);
  });

  it('should not match a commit by fewer than seven digits of its id', () => {
    const review = applyComment(NO_REVIEW, 1, 'exclude commit abc');
    expect(countExcluded([createCommit('fix: x', { id: 'abc'.padEnd(40, '0') })], review)).to.equal(0);
    expect(review.open, 'shown to the next approver').to.deep.equal(['exclude commit abc']);
  });

  it('should not count merge commits as excluded, because the notes never contain them', () => {
    const merge = createCommit('ci: merge', { parents: ['a', 'b'] });
    expect(countExcluded([merge], applyComment(NO_REVIEW, 1, 'exclude type ci'))).to.equal(0);
  });
});

describe('applyComment', () => {
  it('should keep the instructions of earlier rounds and list unknown instructions as open', () => {
    const firstReview = applyComment(NO_REVIEW, 1, 'exclude type ci\nWhy is this in?');
    const secondReview = applyComment(firstReview, 2, 'add A line.\r\n\r\nexclude nothing in particular');

    expect(firstReview.open).to.deep.equal(['Why is this in?']);
    expect(secondReview).to.deep.equal({
      round: 2,
      exclude: [{ kind: 'type', value: 'ci' }],
      add: ['A line.'],
      open: ['exclude nothing in particular'],
    });
  });

  it('should apply the comments of a round only once, even if the job runs again', () => {
    const reviewed = applyComment(NO_REVIEW, 1, 'add A line.');

    expect(applyComment(reviewed, 1, 'add A line.')).to.equal(reviewed);
  });
});
