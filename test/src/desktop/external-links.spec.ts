import type { Approval, Client } from '@countersign/contract';
import { approvalModel, createTestHost, waitForApproval, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { expectCount } from '../web/web.spec.support.js';
import { openApproval } from './deciding.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

const PROPERTIES =
  '<zeebe:property name="approval.fields" value="=fields" />' +
  '<zeebe:property name="approval.evidence" value="notes.md" />';

/** Addresses that must not be opened, and are not links. */
const UNSAFE_ADDRESSES = [
  'javascript:document.title=1',
  'file:///etc/passwd',
  'data:text/html,%3Ch1%3Ex%3C/h1%3E',
  'countersign://approvals/x',
  'smb://host/share',
  '//example.com/x',
];
/** Addresses that are links in the web UI. The desktop client opens only `https`. */
const UNOPENED_ADDRESSES = ['http://example.com/plain', 'mailto:ada@example.com'];
const toMarkdown = (addresses: readonly string[]): string =>
  addresses.map((address, index) => `- [Link ${index}](<${address}>)`).join('\n');

(hasElectron() ? describe : describe.skip)('desktop: external links in approvals', () => {
  let countersign: TestHost;
  let clara: Client;
  let screen: Screen;
  let desktop: Desktop;

  before(async () => {
    [countersign, screen] = await Promise.all([createTestHost({ jobTypes: ['work'] }), Screen.start()]);
    await countersign.deploy(
      approvalModel(
        'links',
        '',
        `<bpmn:extensionElements><zeebe:properties>${PROPERTIES}</zeebe:properties></bpmn:extensionElements>`,
      ),
    );
    clara = await countersign.client('operator', 'clara');
    desktop = await startDesktop({ screen });
    await signIn(desktop, countersign, 'approver', 'ada');
  });

  after(async () => {
    await desktop?.close();
    if (desktop !== undefined) deleteUserData(desktop.userData);
    await screen?.stop();
    await countersign?.close();
  });

  beforeEach(async () => {
    await desktop.app.evaluate(({ shell }) => {
      const addresses: string[] = [];
      (globalThis as { opened?: string[] }).opened = addresses;
      shell.openExternal = (url: string) => Promise.resolve(void addresses.push(url));
    });
  });

  const readOpened = (): Promise<readonly string[]> =>
    desktop.app.evaluate(() => (globalThis as { opened?: string[] }).opened ?? []);

  /** Requests an approval with a Markdown field, a field for each address, and Markdown as evidence, and opens it. */
  async function openApprovalWith(addresses: readonly string[]): Promise<Approval> {
    const markdown = toMarkdown(addresses);
    const { runId } = await clara.startRun({ body: { workflowId: 'links', inputs: {} } });
    const body = new TextEncoder().encode(markdown);
    await clara.uploadArtifact({ runId, artifactName: 'notes.md', body, contentType: 'text/markdown' });
    const fields = [
      { label: 'Notes', value: markdown, format: 'markdown' },
      ...addresses.map((url, index) => ({
        label: `Field ${index}`,
        value: { text: `Link ${index}`, url },
        format: 'link',
      })),
    ];
    await countersign.jobs.complete('work', { fields });
    const approval = await waitForApproval(clara, runId);
    await openApproval(desktop, approval);
    await desktop.page.getByRole('button', { name: 'Open notes.md' }).click();
    await desktop.page.getByRole('region', { name: 'notes.md, version 1' }).getByText('Formatted').click();
    await findText(addresses.length - 1)
      .nth(2)
      .waitFor();
    return approval;
  }

  /** Finds the labels of an address: in the Markdown field, in its own field and in the evidence. */
  const findText = (index: number): Locator =>
    desktop.page.locator('article').getByText(`Link ${index}`, { exact: true });
  const findLink = (index: number): Locator =>
    desktop.page.locator('article').getByRole('link', { name: `Link ${index}`, exact: true });

  /** Asserts that the window has not navigated, and no other window is open. */
  async function expectWindowKept({ approvalId }: Approval): Promise<void> {
    expect(desktop.app.windows()).to.have.length(1);
    expect(desktop.page.url()).to.equal('countersign-app://inbox/index.html');
    expect(await desktop.page.title()).not.to.equal('1');
    await desktop.page.locator(`article[data-approval="${approvalId}"]`).waitFor();
  }

  it('should be opened in the browser of the system, by mouse and by keyboard, without credentials', async () => {
    // given
    const approval = await openApprovalWith(['https://example.com/a?b=c#d', 'https://bank.example@evil.example/']);
    await expectCount(findLink(0), 3);
    await expectCount(findLink(1), 3);

    for (const index of [0, 1, 2]) {
      // when
      await findLink(0).nth(index).click();
      await findLink(0)
        .nth(index)
        .click({ modifiers: ['Control'] });
      await findLink(0).nth(index).click({ button: 'middle' });
      await findLink(1).nth(index).focus();
      await desktop.page.keyboard.press('Enter');
    }

    // then
    const opened = ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'];
    expect(await readOpened()).to.deep.equal([0, 1, 2].flatMap(() => [...opened, 'https://evil.example/']));
    await expectWindowKept(approval);
  });

  it('should not be links if their scheme is unsafe', async () => {
    // given
    const approval = await openApprovalWith([...UNSAFE_ADDRESSES, 'https://example.com/last']);

    for (const index of UNSAFE_ADDRESSES.keys()) {
      // when
      await expectCount(findText(index), 3);
      for (const text of await findText(index).all()) await text.click();

      // then
      await expectCount(findLink(index), 0);
    }
    await findLink(UNSAFE_ADDRESSES.length).first().click();
    expect(await readOpened()).to.deep.equal(['https://example.com/last']);
    await expectWindowKept(approval);
  });

  it('should not be opened without encryption or in another program', async () => {
    // given
    const approval = await openApprovalWith([...UNOPENED_ADDRESSES, 'https://example.com/last']);

    // when
    for (const index of UNOPENED_ADDRESSES.keys()) for (const link of await findLink(index).all()) await link.click();
    await findLink(UNOPENED_ADDRESSES.length).first().click();

    // then
    expect(await readOpened()).to.deep.equal(['https://example.com/last']);
    await expectWindowKept(approval);
  });
});
