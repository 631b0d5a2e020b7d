import { expect } from 'chai';
import type { Commit } from '../git/read-commits.js';
import { countExcluded, releaseNotes } from './release-notes.js';
import { NO_REVIEW, takeIn } from './review.js';

let counter = 0;
function commit(subject: string, more: Partial<Commit> = {}): Commit {
  counter += 1;
  return {
    id: String(counter)
      .padStart(40, '0')
      .replace(/^0{10}/, 'abcdef0123'),
    parents: ['p'],
    author: 'Ann',
    authoredAt: '2026-01-01T00:00:00.000Z',
    subject,
    body: '',
    ...more,
  };
}

const notesOf = (commits: readonly Commit[], review = NO_REVIEW) =>
  releaseNotes({
    version: '1.2.0',
    from: { revision: 'v1.1.0', commit: 'a'.repeat(40) },
    to: { revision: 'b'.repeat(12), commit: 'b'.repeat(40) },
    commits,
    review,
  });

describe('releaseNotes', () => {
  it('should group the commits by type, with breaking changes first', () => {
    const notes = notesOf([
      commit('Merge branch "x"', { parents: ['a', 'b'] }),
      commit('chore: tidy'),
      commit('feat(core)!: turn it around'),
      commit('fix: mend', { body: 'x\n\nBREAKING CHANGE: the old way is gone' }),
      commit('FEAT: new'),
      commit('fix(server): <b>mend</b> it'),
      commit('no convention: here'),
      commit('wip(x): odd type'),
      commit('docs: say so'),
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
        '- mend (abcdef0123)',
        '',
        '## Features',
        '',
        '- new (abcdef0123)',
        '',
        '## Fixes',
        '',
        '- **server:** \\<b\\>mend\\</b\\> it (abcdef0123)',
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

    const notes = releaseNotes({ version: null, from: end, to: end, commits: [commit('fix: x')], review: NO_REVIEW });

    expect(notes).to.match(/^# Release notes\n\n1 change from /);
  });

  it('should exclude commits and add lines as the reviewers requested', () => {
    const kept = commit('feat(api): kept');
    const dropped = commit('fix: dropped', { id: 'feedbee1'.padEnd(40, '0') });
    const commits = [kept, commit('ci: x'), commit('fix(Deps): y'), dropped];
    const review = takeIn(
      NO_REVIEW,
      1,
      'exclude type CI\n- exclude scope deps\nexclude commit FEEDBEE\nadd Needs *Node* 20.',
    );

    const notes = notesOf(commits, review);

    expect(countExcluded(commits, review)).to.equal(3);
    expect(notes).to.contain('1 change from').and.contain('\n- Needs \\*Node\\* 20.\n').and.contain('kept');
    expect(notes).to.not.match(/Fixes|Maintenance/);
  });

  it('should not match a commit by fewer than seven digits of its id', () => {
    expect(countExcluded([commit('fix: x')], takeIn(NO_REVIEW, 1, 'exclude commit abc'))).to.equal(0);
  });
});

describe('takeIn', () => {
  it('should keep the instructions of earlier rounds and list unknown instructions as open', () => {
    const one = takeIn(NO_REVIEW, 1, 'exclude type ci\nWhy is this in?');
    const two = takeIn(one, 2, 'add A line.\r\n\r\nexclude nothing in particular');

    expect(one.open).to.deep.equal(['Why is this in?']);
    expect(two).to.deep.equal({
      round: 2,
      exclude: [{ kind: 'type', value: 'ci' }],
      add: ['A line.'],
      open: ['exclude nothing in particular'],
    });
  });

  it('should apply the comments of a round only once, even if the job runs again', () => {
    const once = takeIn(NO_REVIEW, 1, 'add A line.');

    expect(takeIn(once, 1, 'add A line.')).to.equal(once);
  });
});
