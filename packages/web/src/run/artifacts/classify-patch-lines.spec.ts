import { expect } from 'chai';
import { classifyPatchLines } from './classify-patch-lines.js';

const classifyLines = (text: string): string =>
  classifyPatchLines(text.split('\n'))
    .map((kind) => kind.charAt(0))
    .join('');

describe('classifyPatchLines', () => {
  it('should distinguish added, removed and unchanged lines from headers', () => {
    expect(
      classifyLines(
        'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ main\n one\n-two\n+2\n three',
      ),
    ).to.equal('hhhhhsras');
    expect(
      classifyLines('--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n--- c\n+++ d\n@@ -0,0 +1 @@\n+e'),
    ).to.equal('hhhrsahhha');
  });

  it('should classify the git lines about new, deleted, renamed and executable files as headers', () => {
    expect(
      classifyLines(
        'diff --git a/x b/x\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+new mode 100755\n+b',
      ),
    ).to.equal('hhhhhhaa');
    expect(
      classifyLines(
        'diff --git a/x b/y\nold mode 100644\nnew mode 100755\nsimilarity index 97%\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -1,2 +1 @@\n-a\n rename from x',
      ),
    ).to.equal('hhhhhhhhhrs');
    expect(classifyLines('diff --git a/x b/x\ndeleted file mode 100644')).to.equal('hh');
  });

  it('should not classify a line of a hunk as a file header', () => {
    expect(classifyLines('--- a.sql\n+++ b.sql\n@@ -1,2 +1,2 @@\n--- DROP is never run\n+++ a\n select 1;')).to.equal(
      'hhhras',
    );
    expect(classifyLines('@@ -1,2 +1,3 @@\n\n+@@ -1,9 +1,9 @@\n+++ x\n-y\n+++ b/file')).to.equal('hsaarh');
  });

  it('should classify a line by its sign if the line counts of the hunk are missing or wrong', () => {
    expect(classifyLines('+a\n-b\n c')).to.equal('ars');
    expect(classifyLines('@@ -1 +1 @@\n-a\n+b\n+c\ndiff --git a/x b/x\n--- a/x')).to.equal('hraahh');
    expect(classifyLines('@@ -1,90 +1,90 @@\n-a\ndiff --git a/x b/x\n--- a/x\n+++ b/x')).to.equal('hrhhh');
  });
});
