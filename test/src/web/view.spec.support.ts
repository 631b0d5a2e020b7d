import { readdirSync, readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import type { PopulatedServer } from './populated.spec.support.js';

export type Made = PopulatedServer['made'];

/** Who looks: a role, somebody without one, or nobody who is signed in. */
export type Viewer = 'admin' | 'viewer' | 'stranger' | 'nobody';

/** A page in one of its states. */
export interface View {
  readonly name: string;
  /** Of the router. */
  readonly route: string;
  readonly at: (made: Made) => string;
  /** Left out: an admin who is called `ada`. */
  readonly as?: Viewer;
  /** In a window of its own, as the page would not let go of it. */
  readonly alone?: true;
  /** Something else stands in the place of the page. */
  readonly instead?: true;
  /** What the server answers in this view alone. */
  readonly given?: (page: Page) => Promise<unknown>;
  /** Brings the page into the state, once it is there. */
  readonly act?: (page: Page, made: Made) => Promise<unknown>;
  /** What is there when it is in the state. */
  readonly seen: (page: Page) => Locator;
  /** The source files of the dialogs and menus that are open, within `packages/web/src` or `packages/inbox-ui/src`. */
  readonly opens?: readonly string[];
}

/** What the web UI is made of. */
const SOURCES = ['web', 'inbox-ui'].map((name) => new URL(`../../../packages/${name}/src/`, import.meta.url));
const WRAPPERS = /^ui\//;
/** What opens something over a page. */
export const OPENING =
  /<(Modal|Drawer|Menu|Popover|HoverCard|Spotlight|PlanDialog|SidePanel|\w*ConfirmDialog|Dialog)(\.Root)?[\s>]/;

interface Source {
  readonly name: string;
  readonly text: string;
}

/** The `.ts` and `.tsx` files, without specs. */
const sources = (): readonly Source[] =>
  SOURCES.flatMap((directory) =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('.spec.'))
      .map((name) => ({ name, text: readFileSync(new URL(name, directory), 'utf8') })),
  );

/** The code of the web UI, file by file, without its specs. */
export function webSources(): readonly string[] {
  return sources().map(({ text }) => text);
}

/** Every address that the router of the web UI knows, as it is written there. */
export function routesOfRouter(): readonly string[] {
  const router = sources().find(({ name }) => name === 'app/router.tsx')?.text ?? '';
  const paths = [...router.matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) => path);
  if (paths.length !== router.match(/\bpath:/g)?.length)
    throw new Error('A path of the router is not written as a text, so that nobody can tell whether it is tested.');
  // The frame of all pages, and its index, which leads to the runs.
  return paths.filter((path) => path !== '/');
}

/** The source files that open dialogs, drawers or menus over a page. */
export function openingSources(): readonly string[] {
  return sources()
    .filter(({ name, text }) => name.endsWith('.tsx') && !WRAPPERS.test(name) && OPENING.test(text))
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

const within =
  (path: RegExp) =>
  ({ pathname }: URL): boolean =>
    pathname.startsWith('/api/') && path.test(pathname.slice('/api/'.length));

/** The server fails at this. @param path of the API */
export const failing =
  (path: RegExp) =>
  (page: Page): Promise<unknown> =>
    page.route(within(path), (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', json: PROBLEM }),
    );
/** There is nothing of this. */
export const empty =
  (path: RegExp) =>
  (page: Page): Promise<unknown> =>
    page.route(within(path), (route) =>
      route.fulfill({ json: { items: [], nextCursor: null, count: 0, exact: true } }),
    );
/** No answer to this comes while somebody looks. */
export const silent =
  (path: RegExp) =>
  (page: Page): Promise<unknown> =>
    page.route(within(path), () => undefined);
