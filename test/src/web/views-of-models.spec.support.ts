import type { Page } from 'playwright-core';
import { ORDER } from './populated.spec.support.js';
import { button, click, dialog, empty, failing, heading, type View } from './view.spec.support.js';

const route = 'workflows/:workflowId';
const drop =
  (text: string) =>
  (page: Page): Promise<void> =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'order.bpmn', mimeType: 'application/xml', buffer: Buffer.from(text) });

const WORKFLOWS: readonly View[] = [
  {
    name: 'workflows',
    route: 'workflows',
    at: () => '/workflows',
    seen: (page) => page.getByRole('row', { name: /Order and pay/ }),
  },
  {
    name: 'workflows: none',
    route: 'workflows',
    at: () => '/workflows',
    given: empty(/^workflows$/),
    seen: (page) => page.getByText('No workflows yet'),
  },
  {
    name: 'workflows: failed to load',
    route: 'workflows',
    at: () => '/workflows',
    given: failing(/^workflows$/),
    seen: (page) => page.getByRole('alert'),
  },
  {
    name: 'workflows: DMN decisions',
    route: 'workflows',
    at: () => '/workflows?tab=decisions',
    seen: (page) => page.getByRole('row', { name: /risk/ }),
  },
  {
    name: 'workflows: a DMN decision',
    route: 'workflows',
    at: () => '/workflows?tab=decisions&decision=risk',
    seen: (page) => page.getByRole('table', { name: 'Rules of risk' }),
    opens: ['workflows/decision-drawer.tsx'],
  },
  {
    name: 'deploying',
    route: 'workflows',
    at: () => '/workflows?deploy=1',
    seen: (page) => page.getByText('Drop a BPMN file here'),
  },
  {
    name: 'deploying: a refused BPMN model',
    route: 'workflows',
    at: () => '/workflows?deploy=1',
    act: drop(ORDER.refused),
    seen: (page) => page.getByRole('button', { name: /Refused work/ }),
  },
  {
    name: 'deploying: findings',
    route: 'workflows',
    at: () => '/workflows?deploy=1',
    act: drop(ORDER.better),
    seen: (page) => page.getByText('order would become version 3.'),
  },
  {
    name: 'deploying: comparison with the deployed version',
    route: 'workflows',
    at: () => '/workflows?deploy=1',
    act: async (page) => {
      await drop(ORDER.better)(page);
      await page.getByRole('tab', { name: 'Compared with version 2, which is deployed now' }).click();
    },
    seen: (page) => page.getByRole('button', { name: /Removed Send/ }),
  },
  {
    name: 'a workflow',
    route,
    at: () => '/workflows/order?element=work',
    seen: (page) => page.locator('.djs-element.cs-selected[data-element-id="work"]'),
  },
  {
    name: 'a workflow: an older version',
    route,
    at: () => '/workflows/order?version=1',
    seen: (page) => page.getByText('This is not the newest version; that is v2.'),
  },
  {
    name: 'a workflow: versions',
    route,
    at: () => '/workflows/order?view=versions',
    seen: (page) => page.getByRole('button', { name: 'Compare v1 with the version shown' }),
  },
  {
    name: 'a workflow: two versions',
    route,
    at: () => '/workflows/order?version=2&compare=1',
    seen: (page) => page.getByRole('region', { name: 'Changes' }).getByRole('button', { name: /Added Send/ }),
  },
  {
    name: 'a workflow: heat map',
    route,
    at: () => '/workflows/simple?view=heat',
    seen: (page) => page.getByRole('grid', { name: 'Figures by element' }),
  },
  {
    name: 'a workflow: no figures',
    route,
    at: () => '/workflows/order?view=heat',
    seen: (page) => page.getByText(/^No matching runs/),
  },
  {
    name: 'a workflow: its source',
    route,
    at: () => '/workflows/order?view=source',
    seen: (page) => page.getByRole('region', { name: 'BPMN' }),
  },
  { name: 'a nonexistent workflow', route, at: () => '/workflows/nothing', seen: (page) => page.getByRole('alert') },
];

const POLICIES: readonly View[] = [
  {
    name: 'policies',
    route: 'policies',
    at: () => '/policies',
    seen: (page) => page.getByRole('row', { name: /writer calls note/ }).first(),
  },
  {
    name: 'policies: a policy decision',
    route: 'policies',
    at: () => '/policies',
    act: async (page) => {
      await page
        .getByRole('row', { name: /writer calls note/ })
        .first()
        .focus();
      await page.keyboard.press('Enter');
    },
    seen: dialog('Decision about writer calls note'),
    opens: ['policies/decision-panel.tsx'],
  },
  {
    name: 'policies: none',
    route: 'policies',
    at: () => '/policies',
    given: empty(/^policy\/decisions$/),
    seen: (page) => page.getByText('No policy decisions yet'),
  },
  {
    name: 'policies: the policy',
    route: 'policies',
    at: () => '/policies?tab=policy&file=tools.cedar',
    seen: (page) => page.getByRole('region', { name: 'Content of tools.cedar' }),
  },
  {
    name: 'policies: the policy trial',
    route: 'policies',
    at: () => '/policies?tab=trial',
    seen: (page) => button(page, 'Try it'),
  },
  {
    name: 'policies: an added file',
    route: 'policies',
    at: () => '/policies?tab=trial',
    act: click('Add a file'),
    seen: (page) => page.getByRole('textbox', { name: 'Name of the new file' }),
    opens: ['policies/add-file.tsx'],
  },
  {
    name: 'policies: changed decisions',
    route: 'policies',
    at: () => '/policies?tab=trial&workflow=agent',
    act: async (page) => {
      await button(page, 'Add a file').click();
      await page.getByRole('textbox', { name: 'Name of the new file' }).fill('more.cedar');
      await page.keyboard.press('Enter');
      await page
        .getByRole('textbox', { name: 'Draft of more.cedar' })
        .fill(
          '@id("notes") @acceptsTaint("true") permit (principal == Agent::"writer", action == Action::"callUnattended", resource == Tool::"note");',
        );
      await button(page, 'Try it').click();
    },
    seen: (page) =>
      page
        .getByRole('region', { name: 'What would change' })
        .getByRole('row', { name: /Weaker/ })
        .first(),
  },
  {
    name: 'policies: an invalid draft',
    route: 'policies',
    at: () => '/policies?tab=trial&workflow=agent',
    act: async (page) => {
      await page.getByRole('textbox', { name: /^Draft of/ }).fill('permit');
      await button(page, 'Try it').click();
    },
    seen: (page) => page.getByRole('alert').getByRole('button').first(),
  },
];

export const VIEWS_OF_MODELS: readonly View[] = [
  ...WORKFLOWS,
  ...POLICIES,
  {
    name: 'a page that failed to load',
    route: 'workflows',
    instead: true,
    at: () => '/workflows',
    given: (page) =>
      page.route('**/api/workflows?*', (each) => each.fulfill({ json: { items: [null], nextCursor: null } })),
    seen: heading('This page failed'),
  },
];
