import type { Approval, Client } from '@countersign/contract';
import { approvalModel, createTestHost, waitForApproval, type TestHost } from '@countersign/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser, openWindow, type Window } from './web.spec.support.js';

/** Content of an artifact with its content type. */
export type EvidenceFile = readonly [contentType: string, content: string | Uint8Array<ArrayBuffer>];

/** @param names names of the artifacts that approvals have as evidence */
export async function deployEvidenceModel(countersign: TestHost, names: readonly string[]): Promise<Client> {
  await countersign.deploy(
    approvalModel(
      'read',
      '',
      `<bpmn:extensionElements><zeebe:properties><zeebe:property name="approval.evidence" value="${names.join(', ')}" /></zeebe:properties></bpmn:extensionElements>`,
    ),
  );
  return countersign.client('operator', 'clara');
}

/** Requests an approval with the files as evidence. */
export async function requestWithEvidence(
  countersign: TestHost,
  clara: Client,
  files: Readonly<Record<string, EvidenceFile>>,
): Promise<Approval> {
  const { runId } = await clara.startRun({ body: { workflowId: 'read', inputs: {} } });
  for (const [artifactName, [contentType, content]] of Object.entries(files)) {
    const body = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    await clara.uploadArtifact({ runId, artifactName, body, contentType });
  }
  await countersign.jobs.complete('work', {});
  return waitForApproval(clara, runId);
}

/** An approver who reads evidence in a browser. */
export class EvidenceReader {
  private window: Window | undefined;

  private constructor(
    readonly countersign: TestHost,
    private readonly browser: Browser,
    readonly clara: Client,
  ) {}

  /** @param names names of the artifacts that approvals have as evidence */
  static async start(names: readonly string[]): Promise<EvidenceReader> {
    const [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work'] }), launchBrowser()]);
    return new EvidenceReader(countersign, browser, await deployEvidenceModel(countersign, names));
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.countersign.close();
  }

  get page(): Page {
    if (this.window === undefined) throw new Error('No window is open.');
    return this.window.page;
  }

  /** Opens a new window on a new approval with the files as evidence. */
  async open(files: Readonly<Record<string, EvidenceFile>>): Promise<Approval> {
    const approval = await requestWithEvidence(this.countersign, this.clara, files);
    const token = await this.countersign.token('approver', { subject: 'bob' });
    this.window = await openWindow(this.browser, { url: this.countersign.url, token });
    await this.page.setViewportSize({ width: 1280, height: 900 });
    await this.page.goto(`${this.countersign.url}/approvals/${approval.approvalId}`);
    return approval;
  }

  async closeWindow(): Promise<void> {
    await this.window?.close();
    this.window = undefined;
  }

  /** Displays a piece of evidence. */
  async show(name: string): Promise<Locator> {
    await this.page.getByRole('button', { name: `Open ${name}` }).click();
    return this.getRegion(name);
  }

  getRegion(name: string): Locator {
    return this.page.getByRole('region', { name: `${name}, version 1` });
  }

  /** Returns the badge with the share that was shown. */
  getStatus(name: string): Locator {
    return this.page
      .getByRole('listitem')
      .filter({ has: this.page.getByText(`${name}, version 1`) })
      .getByText(/% shown|^Opened|^Not opened/);
  }

  async expectStatus(name: string, status: string | RegExp): Promise<void> {
    const badge = this.getStatus(name);
    await badge.and(this.page.getByText(status, { exact: true })).waitFor();
  }

  /** Scrolls the evidence, and waits until the page has measured what is in view. */
  async scrollTo(name: string, share: number): Promise<void> {
    await this.getRegion(name).evaluate(async (region, to) => {
      region.scrollIntoView({ block: 'center', behavior: 'instant' });
      region.scrollTo({ top: to * region.scrollHeight, behavior: 'instant' });
      for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    }, share);
  }
}
