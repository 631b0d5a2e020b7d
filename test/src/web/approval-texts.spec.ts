import type { Approval } from '@countersign/contract';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { waitForApproval } from '../http/http.spec.support.js';
import {
  changeColorScheme,
  expectAccessible,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from './web.spec.support.js';

const EXAMPLE = new URL('../../../examples/vendor-payments/workflows/vendor-payment.bpmn', import.meta.url);

const ITEMS = Array.from({ length: 60 }, (_, index) => ({
  description: `Lot ${index + 1}`,
  quantity: index + 1,
  amount: 20.05,
}));
const CONTRACT = Array.from({ length: 30 }, (_, index) => `${index + 1}. Delivery within 14 days.`);

const ORDINARY = {
  supplier: 'Contoso Paper',
  invoice: {
    number: 'R-1',
    amount: 76.1,
    currency: 'EUR',
    payBy: '2099-12-01',
    url: 'https://invoices.example/R-1',
    items: [{ description: 'Copy paper', quantity: 3, amount: 76.1 }],
  },
};
const UNUSUAL = {
  supplier: 'شركة النور للتجارة',
  invoice: { number: 'R-2', amount: 1203, currency: 'USD', payBy: '2099-12-02', items: ITEMS },
  bankAccount: { before: 'DE02 1203 0000 0000 2020 51', after: 'DE75 5121 0800 1245 1261 99' },
  contract: {
    before: CONTRACT.join('\n'),
    after: CONTRACT.map((line, index) => (index === 20 ? line.replace('14', '21') : line)).join('\n'),
  },
  note: 'Price as in the **frame contract**. <script>alert(1)</script>',
};

const REPORT = Array.from({ length: 400 }, (_, index) => `Line ${index + 1} of the report.`).join('\n');
const PATCH = `diff --git a/src/total.ts b/src/total.ts
--- a/src/total.ts
+++ b/src/total.ts
@@ -1,2 +1,2 @@
 const one = 1;
-const sum = the rounded total of one;
+const sum = the exact total of one;
diff --git a/docs/new.md b/docs/new.md
new file mode 100644
--- /dev/null
+++ b/docs/new.md
@@ -0,0 +1 @@
+# New
`;

(hasBrowser() ? describe : describe.skip)('web: what approvers read', () => {
  let countersign: TestHost;
  let browser: Browser;
  let window: Window;
  let page: Page;
  let ordinary: Approval;
  let unusual: Approval;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work'] }), launchBrowser()]);
    await countersign.deploy(await readFile(EXAMPLE, 'utf8'));
    await countersign.deploy(approvalModel('simple'));
    const clara = await countersign.client('operator', 'clara');
    const request = async (inputs: { readonly invoice: { readonly number: string } }): Promise<Approval> => {
      const { runId } = await clara.startRun({
        body: { workflowId: 'vendor-payment', businessKey: inputs.invoice.number, inputs },
      });
      return waitForApproval(clara, runId);
    };
    ordinary = await request(ORDINARY);
    unusual = await request(UNUSUAL);
    const { runId } = await clara.startRun({
      body: { workflowId: 'simple', businessKey: 'PO-7', inputs: { supplier: { name: 'ACME' }, amount: 5 } },
    });
    await countersign.jobs.complete('work', {});
    await waitForApproval(clara, runId);
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  beforeEach(async () => {
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'bob', groups: ['treasury'] }),
    });
    page = window.page;
  });

  afterEach(() => window.close());

  const open = async ({ approvalId, title }: Approval): Promise<void> => {
    await page.goto(`${countersign.url}/approvals/${approvalId}`);
    await page.getByRole('heading', { level: 2, name: title }).waitFor();
    await page.getByRole('heading', { name: 'Task inputs' }).waitFor();
  };
  /** Returns the text of the field with a label. */
  const readField = async (label: string): Promise<string | null> =>
    page.locator('dl[aria-label="Details"] dt', { hasText: label }).locator('+ dd').textContent();

  it('should distinguish requests of the same task by title and summary in the list', async () => {
    await page.goto(`${countersign.url}/approvals`);
    await page.getByRole('row', { name: /Pay EUR 76\.10 to Contoso Paper.*Invoice R-1 with 1 item\./ }).waitFor();
    await page
      .getByRole('row', {
        name: /Pay USD 1,203.00 to شركة النور للتجارة.*Invoice R-2 with 60 items, to a new bank account, after a change of the contract\./,
      })
      .waitFor();
  });

  it('should name the business key and the first inputs when the BPMN model defines no texts', async () => {
    await page.goto(`${countersign.url}/approvals`);
    await page.getByRole('row', { name: /– PO-7.*amount: 5 · supplier: ACME/ }).waitFor();
  });

  it('should show each value in its format', async () => {
    // when
    await open(unusual);

    // then
    await page.getByText('Invoice R-2 with 60 items, to a new bank account').last().waitFor();
    expect(await readField('Amount')).to.equal('USD\u00a01,203.00');
    expect(await readField('Pay by')).to.equal('Wednesday, 2 December 2099');
    expect(await readField('Invoice')).to.equal('R-2');
    expect(await readField('Bank account')).to.equal(
      'before: DE02 1203 0000 0000 2020 51 → after: DE75 5121 0800 1245 1261 99',
    );
    expect(await readField('Change of the contract'))
      .to.contain('1 line added, 1 removed')
      .and.contain('unchanged lines');
    expect(await page.locator('dd strong', { hasText: 'frame contract' }).count()).to.equal(1);
    expect(await page.locator('dd script').count()).to.equal(0);
    const table = page.getByRole('group', { name: 'Items', exact: true }).getByRole('table');
    expect(await table.getByRole('columnheader').allTextContents()).to.deep.equal(['Item', 'Quantity', 'Amount']);
    expect(await table.getByRole('row').count()).to.equal(51);
    await page.getByRole('button', { name: 'Show more (10 rows left)' }).first().click();
    expect(await table.getByRole('row').last().getByRole('cell').allTextContents()).to.deep.equal([
      'Lot 60',
      '60',
      '20.05',
    ]);
  });

  it('should show the host of a link', async () => {
    await open(ordinary);
    expect(await readField('Invoice')).to.equal('R-1 (invoices.example)');
    expect(await page.getByRole('link', { name: 'R-1' }).getAttribute('href')).to.equal('https://invoices.example/R-1');
  });

  it('should show the inputs in the order of the BPMN model', async () => {
    await open(ordinary);
    expect(await page.locator('dl[aria-label="Task inputs"] dt').allTextContents()).to.deep.equal([
      'supplier',
      'amount',
      'currency',
      'invoiceNumber',
      'payBy',
      'invoiceUrl',
      'bankAccount',
      'items',
      'contract',
      'note',
    ]);
  });

  describe('a subject with long values', () => {
    let approval: Approval;

    before(async () => {
      const clara = await countersign.client('operator', 'clara');
      const { runId } = await clara.startRun({
        body: {
          workflowId: 'simple',
          inputs: {
            a_report: REPORT,
            before: { limit: 100, currency: 'EUR' },
            after: { limit: 250, currency: 'EUR' },
            patch: PATCH,
            rows: ITEMS,
          },
        },
      });
      await countersign.jobs.complete('work', {});
      approval = await waitForApproval(clara, runId);
    });

    const isNoteShown = (): Promise<boolean> =>
      page.getByText('Not all details of this request have been in view yet.').isVisible();
    const scrollTo = async (name: string): Promise<void> => {
      await page.locator('.cs-decision-body').evaluate(async (body, text) => {
        // In steps, as a person reads.
        const target = [...body.querySelectorAll('h3')].find((heading) => heading.textContent === text);
        while (target !== undefined && target.getBoundingClientRect().top > body.getBoundingClientRect().bottom) {
          body.scrollBy(0, body.clientHeight / 2);
          await new Promise(requestAnimationFrame);
        }
      }, name);
    };

    beforeEach(() => open(approval));

    it('should show patches and changes as differences', async () => {
      const patch = page.getByRole('region', { name: 'patch' });
      await patch.getByText('2 files, 2 lines added, 1 removed').waitFor();
      expect(await patch.locator('.cs-diff-added ins').allTextContents()).to.deep.equal(['exact']);
      await patch.getByRole('button', { name: 'docs/new.md', exact: true }).click();
      await page.getByRole('group', { name: 'docs/new.md' }).and(page.locator(':focus')).waitFor();
      expect(await page.locator('dt', { hasText: 'before → after' }).locator('+ dd').textContent()).to.contain(
        '1 line added, 1 removed',
      );
    });

    it('should fold long text, with its length, and open it in place', async () => {
      expect(await page.getByText('Line 41 of the report.').count()).to.equal(0);
      await page.getByRole('button', { name: `Show all ${REPORT.length.toLocaleString('en')} characters` }).click();
      expect(await page.getByText('Line 400 of the report.').count()).to.equal(1);
    });

    it('should say at the vote that not all details were in view, until they were', async () => {
      // when
      await page.keyboard.press('a');
      await page.getByRole('form', { name: 'Approve' }).waitFor();

      // then
      expect(await isNoteShown()).to.equal(true);

      // when
      await scrollTo('Evidence');

      // then
      expect(await isNoteShown(), 'a text and rows are still folded').to.equal(true);

      // when
      await page.locator('.cs-decision-body').evaluate((body) => body.scrollTo(0, 0));
      await page.getByRole('button', { name: /Show all \d+,\d+ characters/ }).click();
      await page.getByRole('button', { name: 'Show more (10 rows left)' }).click();
      await page.locator('.cs-decision-body').evaluate((body) => body.scrollTo(0, 0));
      await scrollTo('Evidence');

      // then
      await page.getByText('Not all details of this request have been in view yet.').waitFor({ state: 'detached' });
    });
  });

  it('should name what is decided in the dialogs', async () => {
    // when
    await open(unusual);
    await page.keyboard.press('a');
    await page.getByRole('form', { name: 'Approve' }).getByRole('button', { name: 'Approve' }).click();

    // then
    const dialog = page.getByRole('dialog', { name: 'High risk: approve this request?' });
    await dialog.getByText('Pay USD 1,203.00 to شركة النور للتجارة', { exact: true }).waitFor();
    await dialog.getByText('Invoice R-2 with 60 items, to a new bank account').waitFor();

    // when
    await page.goto(`${countersign.url}/approvals`);
    await page
      .getByRole('row', { name: /Contoso Paper/ })
      .getByRole('checkbox')
      .click();
    await page.getByRole('button', { name: 'Approve 1', exact: true }).click();

    // then
    const bulkDialog = page.getByRole('dialog', { name: 'Approve 1 request together?' });
    await bulkDialog.getByText('Pay EUR 76.10 to Contoso Paper').waitFor();
    await bulkDialog.getByText('Invoice R-1 with 1 item.').waitFor();
  });

  it('should be accessible in both themes, on a phone and in a wide window', async () => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      await open(unusual);
      for (const theme of ['light', 'dark'] as const) {
        await changeColorScheme(page, theme);
        await expectAccessible(page);
      }
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
        `no horizontal scrolling at ${viewport.width} px`,
      ).to.equal(true);
    }
  });
});
