import { approvalModel, createTestHost, waitForApproval, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, launchBrowser, openWindow } from './web.spec.support.js';

const PATCH = `diff --git a/one.ts b/one.ts
--- a/one.ts
+++ b/one.ts
@@ -1 +1 @@
-const one = 1;
+const one = 2;
diff --git a/two.ts b/two.ts
--- a/two.ts
+++ b/two.ts
@@ -1 +1 @@
-const two = 1;
+const two = 2;
diff --cc merged.ts
index 1111111,2222222..3333333
--- a/merged.ts
+++ b/merged.ts
@@@ -1,1 -1,1 +1,2 @@@
  const merged = 1;
++const more = 2;
diff --git a/old.ts b/new.ts
similarity index 100%
rename from old.ts
rename to new.ts
`;

(hasBrowser() ? describe : describe.skip)('web: comments on lines of a patch', () => {
  let countersign: TestHost;
  let browser: Browser;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work'] }), launchBrowser()]);
    await countersign.deploy(approvalModel('patched'));
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  it('should be offered with the name of the file, for the files whose lines have a side and a number', async () => {
    // given
    const otto = await countersign.client('operator', 'otto');
    const { runId } = await otto.startRun({ body: { workflowId: 'patched', inputs: { patch: PATCH } } });
    await countersign.jobs.complete('work', {});
    const { approvalId } = await waitForApproval(otto, runId);
    const { page, close } = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'bob' }),
    });

    // when
    await page.goto(`${countersign.url}/approvals/${approvalId}`);
    await page.getByRole('group', { name: 'new.ts', exact: true }).first().waitFor();

    // then
    for (const name of ['one.ts', 'two.ts'])
      await page
        .locator(`.cs-patch-file[aria-label="${name}"]`)
        .getByRole('button', { name: `Comment on a line of ${name}`, exact: true })
        .waitFor();
    await page.getByText('const more = 2;').first().waitFor();
    expect(await page.getByRole('button', { name: /^Comment on a line/ }).count()).to.equal(2);
    await page.getByRole('button', { name: 'Comment on a line of two.ts' }).click();
    await page.getByRole('form', { name: 'Comment on a line of two.ts' }).getByRole('textbox').fill('1');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Comment on line 1' }).waitFor();
    await close();
  });
});
