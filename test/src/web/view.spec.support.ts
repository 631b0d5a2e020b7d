import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Approval } from '@countersign/contract';
import type { Locator, Page } from 'playwright-core';
import type { PopulatedServer } from './populated-server.spec.support.js';

export type PopulatedData = PopulatedServer['data'];

/** The user of a view: a role, a user without a role, or no signed-in user. */
export type Viewer = 'admin' | 'viewer' | 'stranger' | 'nobody';

/** A page in one of its states. */
export interface View {
  readonly name: string;
  /** Path of the route in the router. */
  readonly route: string;
  readonly path: (data: PopulatedData) => string;
  /** By default an admin named `ada`. */
  readonly viewer?: Viewer;
  /** Whether the view needs its own window, because the page blocks navigation to another view. */
  readonly needsOwnWindow?: true;
  /** Whether the view shows another page instead of the page of the route, for example the sign-in. */
  readonly isReplaced?: true;
  /** Sets the responses of the server for this view only. */
  readonly mockApi?: (page: Page) => Promise<unknown>;
  /** Brings the loaded page into the state. */
  readonly openView?: (page: Page, data: PopulatedData) => Promise<unknown>;
  /** Element that is visible when the page is in the state. */
  readonly expected: (page: Page) => Locator;
  /** Source files of the open dialogs and menus, relative to `packages/web/src` or `packages/inbox-ui/src`. */
  readonly opens?: readonly string[];
}

/** The source directories of the web UI. */
const SOURCES = ['web', 'inbox-ui'].map((name) => new URL(`../../../packages/${name}/src/`, import.meta.url));
const WRAPPERS = /^ui\//;
/** Matches the components that open a dialog, a drawer or a menu over a page. */
export const OPENING_ELEMENT =
  /<(Modal|Drawer|Menu|Popover|HoverCard|Spotlight|PlanDialog|SidePanel|\w*ConfirmDialog|Dialog)(\.Root)?[\s>]/;

interface Source {
  readonly name: string;
  readonly text: string;
}

/** Returns the `.ts` and `.tsx` files without specs. */
const readSources = (): readonly Source[] =>
  SOURCES.flatMap((directory) =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('.spec.'))
      .map((name) => ({ name, text: readFileSync(new URL(name, directory), 'utf8') })),
  );

/** Returns the source of each file of the web UI, without specs. */
export function readWebSources(): readonly string[] {
  return readSources().map(({ text }) => text);
}

/** Returns every path of the web UI's router, as written in the source. */
export function listRouterPaths(): readonly string[] {
  const router = readSources().find(({ name }) => name === 'app/router.tsx')?.text ?? '';
  const paths = [...router.matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) => path);
  if (paths.length !== router.match(/\bpath:/g)?.length)
    throw new Error(
      'A path in app/router.tsx is not a string literal, so this check cannot read it. Write it as a string literal.',
    );
  // `/` is the layout of all pages and its index route, which redirects to the runs.
  return paths.filter((path) => path !== '/');
}

/** Returns the source files that open dialogs, drawers or menus over a page. */
export function listOpeningSources(): readonly string[] {
  return readSources()
    .filter(({ name, text }) => name.endsWith('.tsx') && !WRAPPERS.test(name) && OPENING_ELEMENT.test(text))
    .map(({ name }) => name)
    .sort();
}

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
export const click =
  (name: string) =>
  (page: Page): Promise<void> =>
    button(page, name).first().click();
export const heading =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('heading', { level: 1, name });
export const dialog =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('dialog', { name });

const PROBLEM = {
  type: 'urn:countersign:problem:internal_error',
  title: 'Internal error',
  status: 500,
  detail: 'The server failed.',
  code: 'internal_error',
  instance: null,
  traceId: '0af7651916cd43dd8448eb211c80319c',
  retryable: false,
  errors: [],
};

const matchesApiPath =
  (path: RegExp) =>
  ({ pathname }: URL): boolean =>
    pathname.startsWith('/api/') && path.test(pathname.slice('/api/'.length));

/** Makes requests to matching paths of the API fail. @param path pattern of the path after `/api/` */
export const mockFailure =
  (path: RegExp) =>
  (page: Page): Promise<unknown> =>
    page.route(matchesApiPath(path), (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', json: PROBLEM }),
    );
/** Makes requests to matching paths of the API return no items. */
export const mockEmptyList =
  (path: RegExp) =>
  (page: Page): Promise<unknown> =>
    page.route(matchesApiPath(path), (route) =>
      route.fulfill({ json: { items: [], nextCursor: null, count: 0, exact: true } }),
    );
const COMMENT = {
  commentId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e70',
  approvalId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e71',
  round: 1,
  replyTo: null,
  at: '2026-01-01T00:00:00.000Z',
  by: 'vera',
  byName: null,
  text: 'Which build is this?',
  line: { evidence: 'notes.md', side: 'after', number: 3, quote: 'A line that is quoted' },
  digest: `sha256:${'0'.repeat(64)}`,
};
/** Makes every approval have a comment about a line, a reply, and a comment that was erased. */
export const mockComments = (page: Page): Promise<unknown> =>
  page.route(matchesApiPath(/\/comments$/), (route) => {
    const reply = {
      ...COMMENT,
      commentId: COMMENT.commentId.replace(/0$/, '2'),
      replyTo: COMMENT.commentId,
      line: null,
    };
    const erased = { ...COMMENT, commentId: COMMENT.commentId.replace(/0$/, '3'), by: null, text: null, line: null };
    return route.fulfill({ json: { items: [COMMENT, reply, erased], nextCursor: null } });
  });
/** Makes the evidence of an approval a PDF, with its digest. */
export const mockPdfEvidence =
  (pdf: Uint8Array<ArrayBuffer>) =>
  async (page: Page): Promise<void> => {
    const sha256 = createHash('sha256').update(pdf).digest('hex');
    await page.route(matchesApiPath(/^approvals\/[^/]+$/), async (route) => {
      const response = await route.fetch();
      const approval = (await response.json()) as Approval;
      const evidence = approval.subject.evidence.map((each) => ({ ...each, sha256 }));
      await route.fulfill({ response, json: { ...approval, subject: { ...approval.subject, evidence } } });
    });
    await page.route(matchesApiPath(/\/artifacts\//), (route) =>
      route.fulfill({ contentType: 'application/pdf', body: Buffer.from(pdf) }),
    );
  };
/** Leaves requests to matching paths of the API without a response. */
export const mockNoResponse =
  (path: RegExp) =>
  (page: Page): Promise<unknown> =>
    page.route(matchesApiPath(path), () => undefined);
