import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Benchmark, DatabaseContext } from '../benchmark.js';
import { launchDesktopClient, signIn, waitUntilLive } from '../desktop/desktop-client.js';
import { openDesktopEnvironment } from '../desktop/desktop-environment.js';
import { findElectron } from '../desktop/find-electron.js';
import { startServerProcess, type ServerProcess } from '../http/server-process.js';
import { formatNumber } from '../measure/table.js';
import { APPROVER, createRequests, QUESTION_COUNT, writeAgent } from '../trials/trial-requests.js';
import { triage, type Inbox, type TriageResult } from '../trials/triage.js';
import { launchBrowser, openSignedInPage } from '../web/browser.js';

interface Version {
  readonly name: 'before' | 'after';
  /** Directory of the checkout; `undefined`: this one. */
  readonly checkout: string | undefined;
  readonly inbox: Inbox;
}

const BEFORE_INBOX: Inbox = {
  opensNext: false,
  effectHeading: 'Requested action',
  optionsHaveKeys: false,
  questions: 'page',
};
const AFTER_INBOX: Inbox = { opensNext: true, effectHeading: 'Effect', optionsHaveKeys: true, questions: 'inbox' };

const WINDOWS = ['web', 'desktop'] as const;

/**
 * Forty mixed requests triaged by keyboard, in the web UI and in the desktop client; with `--before`, also in the version
 * before approvers were shown what they approve. See docs/trials.md.
 */
export const trials: Benchmark = {
  name: 'trials',
  database: true,
  async run(context) {
    const versions: readonly Version[] = [
      ...(context.before === undefined
        ? []
        : [{ name: 'before', checkout: context.before, inbox: BEFORE_INBOX } as const]),
      { name: 'after', checkout: undefined, inbox: AFTER_INBOX },
    ];
    const results: (TriageResult & { readonly name: string })[] = [];
    for (const window of WINDOWS) {
      for (const version of versions) {
        const name = `${window}, ${version.name}`;
        context.progress(name);
        results.push({ name, ...(await measureTrial(context, version, window)) });
      }
    }
    return {
      tables: [
        {
          title: 'trials: forty mixed requests, triaged by keyboard',
          columns: ['window', 'keys', 'typed characters', 'requests opened', 'requests scrolled', 'seconds'],
          rows: results.map(({ name, keys, characters, opened, scrolled, seconds }) => [
            name,
            ...[keys, characters, opened, scrolled].map((count) => formatNumber(count)),
            formatNumber(seconds, 1),
          ]),
        },
      ],
      notes: [
        'Keys: without the typed characters of comments; a combination counts as one. Seconds: from the first key until the last decision is displayed, without pauses for reading and thinking, and without the time until the votes are sent.',
      ],
      figures: { results },
    };
  },
};

async function measureTrial(
  { postgres }: DatabaseContext,
  { checkout, inbox }: Version,
  window: (typeof WINDOWS)[number],
): Promise<TriageResult> {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-trials-'));
  const server = await startServerProcess(await postgres.createDatabase(), {
    ...(checkout === undefined ? {} : { checkout }),
    configuration: await writeAgent(directory),
  });
  try {
    const requests = await createRequests(server, inbox === AFTER_INBOX);
    const open = window === 'web' ? openWeb : openDesktop;
    return await open(server, join(directory, 'profile'), checkout, async (page) => {
      await page.locator('.cs-inbox-item').first().waitFor();
      const result = await triage(page, inbox, requests.count, QUESTION_COUNT);
      await requests.verify();
      return result;
    });
  } finally {
    await server.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

type OpenWindow = (
  server: ServerProcess,
  profile: string,
  checkout: string | undefined,
  use: (page: Page) => Promise<TriageResult>,
) => Promise<TriageResult>;

const openWeb: OpenWindow = async (server, _profile, _checkout, use) => {
  const browser = await launchBrowser();
  try {
    const page = await openSignedInPage(browser, await mintApproverToken(server));
    await page.goto(`${server.url}/approvals`);
    await page.locator('[data-live="live"]').waitFor();
    return await use(page);
  } finally {
    await browser.close();
  }
};

const openDesktop: OpenWindow = async (server, profile, checkout, use) => {
  const environment = await openDesktopEnvironment();
  await mkdir(profile);
  try {
    const client = await launchDesktopClient({ electron: findElectron(checkout), environment, userData: profile });
    try {
      await signIn(client.page, server.url, await mintApproverToken(server));
      await waitUntilLive(client.page);
      return await use(client.page);
    } finally {
      await client.close();
    }
  } finally {
    await environment.close();
  }
};

function mintApproverToken(server: ServerProcess): Promise<string> {
  return server.mintToken(APPROVER.subject, 'approver', APPROVER.groups);
}
