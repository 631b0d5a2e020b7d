import { expect } from 'chai';
import type { DiffLine } from './diff-rows.js';
import { isPatch, parsePatch } from './parse-patch.js';

const PATCH = `diff --git a/src/total.ts b/src/total.ts
index 1111111..2222222 100644
--- a/src/total.ts
+++ b/src/total.ts
@@ -1,4 +1,5 @@ export function total() {
 const one = 1;
-const sum = round(one);
+const sum = one;
+const rest = 2;

 return sum;
@@ -20,2 +21 @@
-old
 kept
\\ No newline at end of file
diff --git a/logo.png b/brand.png
similarity index 100%
rename from logo.png
rename to brand.png
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
--- a line that looks like a header
`;

const MERGE = `commit d662991d4a729182d25b6a182c3fe9f827cdd3d8
Merge: 8e1e9c0 9122fcd

    merge

diff --cc f
index 7c05a3b,d047b14..3f85703
--- a/f
+++ b/f
@@@ -1,6 -1,5 +1,6 @@@ section
  one
- TWO m
 -TWO x
++TWO both
  three
- four
- five
+ four x
 -five
++new
 +six
`;

const formatLine = (line: DiffLine): string => {
  if ('note' in line) return `# ${line.note}`;
  if ('merged' in line) {
    const { kind, signs, text, line: number } = line.merged;
    return `${kind} ${number ?? '-'} ${signs}|${text}`;
  }
  if ('omitted' in line) return `omitted${line.isAtStart ? ' at the start' : ''}: ${line.omitted}`;
  if (!('row' in line)) return 'fold';
  const { before, after, same } = line.row;
  const text = (side: typeof before): string =>
    side === undefined ? '' : side.parts.map(({ text: part, changed }) => (changed ? `[${part}]` : part)).join('');
  return `${same ? '=' : '!'}${before?.line ?? '-'}/${after?.line ?? '-'} ${text(before)} | ${text(after)}`;
};

describe('parsePatch', () => {
  it('should return the files with their changed lines and changed words', () => {
    const files = parsePatch(PATCH);
    expect(files.map(({ name, added, removed }) => [name, added, removed])).to.deep.equal([
      ['src/total.ts', 2, 2],
      ['brand.png', 0, 0],
      ['gone.txt', 0, 1],
    ]);
    expect(files[0]?.lines.slice(4).map(formatLine)).to.deep.equal([
      '# @@ -1,4 +1,5 @@ export function total() {',
      '=1/1 const one = 1; | const one = 1;',
      '!2/2 const sum = [round(]one[)]; | const sum = one;',
      '!-/3  | const rest = 2;',
      '=3/4  | ',
      '=4/5 return sum; | return sum;',
      'omitted: 15',
      '# @@ -20,2 +21 @@',
      '!20/- old | ',
      '=21/21 kept | kept',
      '# \\ No newline at end of file',
    ]);
    expect(files[2]?.lines.map(formatLine).at(-1)).to.equal('!1/- -- a line that looks like a header | ');
  });

  for (const [description, text] of Object.entries({
    'a git diff': PATCH,
    'a mail with a message before and after the patch': `From 1 Mon Sep 17\nSubject: [PATCH] Round once\n\nText\n---\n total.ts | 2 +-\n\n${PATCH}-- \n2.39.2\n`,
    'several files without git headers':
      '--- one\n+++ one\n@@ -1 +1 @@\n-a\n+b\n--- two\t2026-01-01\n+++ two\n@@ -1 +1 @@\n-c\n+d\n',
    'a hunk that is shorter than its header says': '--- a\n+++ b\n@@ -1,9 +1,9 @@\n-a\n+b\nnot part of it\n',
    'a hunk that is longer than its header says': '--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n+c\n d\n',
    'Windows line ends': '--- a\r\n+++ b\r\n@@ -1,2 +1,2 @@\r\n-a\r\n+b\r\n\r\n',
    'a merge': MERGE,
    'a hunk of a merge that is shorter than its header says': MERGE.replace('-1,6 -1,5 +1,6', '-1,16 -1,15 +1,16'),
    'a hunk of a merge that is longer than its header says': MERGE.replace('-1,6 -1,5 +1,6', '-1,3 -1,3 +1,3'),
    'a hunk of a merge with a wrong header': MERGE.replace('@@@ -1', '@@@@ -1'),
    'a text that is not a patch': 'Hello\n\nWorld',
    'an empty text': '',
  }))
    it(`should keep each line of ${description}`, () => {
      const shownLines = parsePatch(text).flatMap(({ lines }) =>
        lines.flatMap((line) => {
          if ('note' in line) return [line.note];
          if ('merged' in line) return [line.merged.signs + line.merged.text];
          if (!('row' in line)) return [];
          const { before, after, same } = line.row;
          const read = (side: typeof before): string => side?.parts.map((part) => part.text).join('') ?? '';
          if (same) return [` ${read(after)}`];
          return [
            ...(before === undefined ? [] : [`-${read(before)}`]),
            ...(after === undefined ? [] : [`+${read(after)}`]),
          ];
        }),
      );
      const textLines = text.split('\n');
      if (textLines.at(-1) === '') textLines.pop();
      // An empty line in a hunk is an unchanged empty line whose space was removed.
      const normalize = (lines: readonly string[]): string[] => lines.map((line) => line.trimEnd()).sort();
      expect(normalize(shownLines)).to.deep.equal(normalize(textLines));
    });

  for (const [description, text, names] of [
    [
      'a line after the last hunk',
      '--- a/auth.ts\n+++ b/auth.ts\n@@ -1 +1 @@\n-a\n+b\n+++ b/README.md\n--- x\n',
      ['auth.ts'],
    ],
    ['a message', 'commit 0123456789\n\n--- a/x\n\ndiff --git a/y b/y\nold mode 1\nnew mode 2\n', ['', 'y']],
    ['a path with spaces', 'diff --git a/x b/README.md b/x b/README.md\nBinary files differ\n', ['x b/README.md']],
    [
      'a quoted path',
      'diff --git "a/\\303\\244 \\"1\\".bin" "b/\\303\\244 \\"1\\".bin"\nBinary files differ\n',
      ['ä "1".bin'],
    ],
    ['a copy', 'diff --git a/one b/two\nsimilarity index 100%\ncopy from one\ncopy to two\n', ['two']],
    ['a merge', 'diff --cc one\nindex 1,2..3\ndiff --combined "\\303\\244"\n', ['one', 'ä']],
    ['a path that starts with c/', '--- c/x\n+++ c/x\n@@ -1 +1 @@\n-a\n+b\n', ['c/x']],
  ] as const)
    it(`should name the files correctly despite ${description}`, () => {
      expect(parsePatch(text).map(({ name }) => name)).to.deep.equal(names);
    });

  for (const [description, headers, omitted] of [
    ['a hunk that does not start with the first line', ['@@ -8 +8 @@'], ['omitted at the start: 7']],
    ['hunks with lines in between', ['@@ -1 +1 @@', '@@ -5 +5 @@'], ['omitted: 3']],
    ['hunks without lines in between', ['@@ -1 +1 @@', '@@ -2 +2 @@'], []],
    ['hunks that overlap', ['@@ -5 +5 @@', '@@ -2 +2 @@'], ['omitted at the start: 4']],
    ['hunks whose sides disagree', ['@@ -1 +1 @@', '@@ -5 +50 @@'], []],
    ['a hunk with an endless number', [`@@ -${'9'.repeat(400)} +${'9'.repeat(400)} @@`], []],
  ] as const)
    it(`should count the lines that a patch leaves out before ${description}`, () => {
      const hunks = headers.map((header) => `${header}\n-old\n+new\n`);
      const [file] = parsePatch(`--- a/x\n+++ b/x\n${hunks.join('')}`);
      expect(file?.lines.flatMap((line) => ('omitted' in line ? [formatLine(line)] : []))).to.deep.equal(omitted);
    });

  it('should count the lines that a patch leaves out around hunks without lines on a side', () => {
    const text =
      '--- a/x\n+++ b/x\n@@ -4,0 +5,2 @@\n+one\n+two\n@@ -9,2 +10,0 @@\n-three\n-four\n@@ -20 +20 @@\n-a\n+b\n';
    expect(parsePatch(text)[0]?.lines.flatMap((line) => ('omitted' in line ? [line.omitted] : []))).to.deep.equal([
      4, 4, 9,
    ]);
  });

  it('should return the lines of a merge with a sign for each parent', () => {
    // when
    const [message, file] = parsePatch(MERGE);

    // then
    expect(message?.lines.length).to.equal(5);
    expect([file?.name, file?.added, file?.removed, file?.isOneSided]).to.deep.equal(['f', 4, 5, true]);
    expect(file?.lines.slice(4).map(formatLine)).to.deep.equal([
      '# @@@ -1,6 -1,5 +1,6 @@@ section',
      'same 1   |one',
      'removed - - |TWO m',
      'removed -  -|TWO x',
      'added 2 ++|TWO both',
      'same 3   |three',
      'removed - - |four',
      'removed - - |five',
      'added 4 + |four x',
      'removed -  -|five',
      'added 5 ++|new',
      'added 6  +|six',
    ]);
  });

  it('should read a merge of three branches', () => {
    const text =
      'diff --combined "a \\"b\\""\n--- a/x\n+++ b/x\n@@@@ -1 -1 -1,2 +1 @@@@\n  -gone\n+++new\n-- old\n++++ b/README.md\n';
    const [file] = parsePatch(text);
    expect(file?.name).to.equal('x');
    expect(file?.lines.slice(4).map(formatLine)).to.deep.equal([
      'removed -   -|gone',
      'added 1 +++|new',
      'removed - -- |old',
      '# ++++ b/README.md',
    ]);
  });

  it('should return whether only one side of a file has lines', () => {
    const text =
      '--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+a\n+b\n--- a/kept\n+++ b/kept\n@@ -1 +1,2 @@\n a\n+b\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n--- a/changed\n+++ b/changed\n@@ -1 +1 @@\n-a\n+b\n';
    expect(parsePatch(text).map(({ name, isOneSided }) => [name, isOneSided])).to.deep.equal([
      ['new', true],
      ['kept', false],
      ['gone', true],
      ['changed', false],
    ]);
  });

  it('should name the files of patches without git headers', () => {
    expect(
      parsePatch('--- one\n+++ one\n@@ -1 +1 @@\n-a\n+b\n--- two\t2026-01-01\n+++ two\n@@ -1 +1 @@\n-c\n+d\n').map(
        ({ name }) => name,
      ),
    ).to.deep.equal(['one', 'two']);
  });
});

describe('isPatch', () => {
  it('should recognize a patch', () => {
    expect(isPatch(PATCH)).to.equal(true);
    expect(isPatch(MERGE)).to.equal(true);
    expect(isPatch('--- a\r\n+++ b\r\n@@ -1,2 +1,2 @@\r\n')).to.equal(true);
  });

  for (const text of [
    '# Notes\n\n```diff\n--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n```\n',
    '',
    '--- a\n+++ b\n',
    '@@ -1 +1 @@\n-a\n+b\n',
    '- one\n+ two',
    '---\ntitle: x\n---\n',
  ])
    it(`should not take ${JSON.stringify(text)} for a patch`, () => {
      expect(isPatch(text)).to.equal(false);
    });
});
