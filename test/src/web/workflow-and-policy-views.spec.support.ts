import type { Page } from 'playwright-core';
import { ORDER_MODELS } from './populated-server.spec.support.js';
import { button, click, dialog, mockEmptyList, mockFailure, heading, type View } from './view.spec.support.js';

const ROUTE = 'workflows/:workflowId';
const dropFile =
  (content: string) =>
  (page: Page): Promise<void> =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'order.bpmn', mimeType: 'application/xml', buffer: Buffer.from(content) });

const WORKFLOW_VIEWS: readonly View[] = [
  {
    name: 'workflows',
    route: 'workflows',
    path: () => '/workflows',
    expected: (page) => page.getByRole('row', { name: /Order and pay/ }),
  },
  {
    name: 'workflows: none',
    route: 'workflows',
    path: () => '/workflows',
    mockApi: mockEmptyList(/^workflows$/),
    expected: (page) => page.getByText('No workflows yet'),
  },
  {
    name: 'workflows: failed to load',
    route: 'workflows',
    path: () => '/workflows',
    mockApi: mockFailure(/^workflows$/),
    expected: (page) => page.getByRole('alert'),
  },
  {
    name: 'workflows: DMN decisions',
    route: 'workflows',
    path: () => '/workflows?tab=decisions',
    expected: (page) => page.getByRole('row', { name: /risk/ }),
  },
  {
    name: 'workflows: a DMN decision',
    route: 'workflows',
    path: () => '/workflows?tab=decisions&decision=risk',
    expected: (page) => page.getByRole('table', { name: 'Rules of risk' }),
    opens: ['workflows/dmn-decision-drawer.tsx'],
  },
  {
    name: 'deploying',
    route: 'workflows',
    path: () => '/workflows?deploy=1',
    expected: (page) => page.getByText('Drop a BPMN file here'),
  },
  {
    name: 'deploying: a refused BPMN model',
    route: 'workflows',
    path: () => '/workflows?deploy=1',
    openView: dropFile(ORDER_MODELS.refused),
    expected: (page) => page.getByRole('button', { name: /Refused work/ }),
  },
  {
    name: 'deploying: findings',
    route: 'workflows',
    path: () => '/workflows?deploy=1',
    openView: dropFile(ORDER_MODELS.better),
    expected: (page) => page.getByText('order would become version 3.'),
  },
  {
    name: 'deploying: comparison with the deployed version',
    route: 'workflows',
    path: () => '/workflows?deploy=1',
    openView: async (page) => {
      await dropFile(ORDER_MODELS.better)(page);
      await page.getByRole('tab', { name: 'Compared with version 2 (deployed)' }).click();
    },
    expected: (page) => page.getByRole('button', { name: /Removed Send/ }),
  },
  {
    name: 'a workflow',
    route: ROUTE,
    path: () => '/workflows/order?element=work',
    expected: (page) => page.locator('.djs-element.cs-selected[data-element-id="work"]'),
  },
  {
    name: 'a workflow: an older version',
    route: ROUTE,
    path: () => '/workflows/order?version=1',
    expected: (page) => page.getByText('This is not the latest version (v2).'),
  },
  {
    name: 'a workflow: versions',
    route: ROUTE,
    path: () => '/workflows/order?view=versions',
    expected: (page) => page.getByRole('button', { name: 'Compare v1 with the version shown' }),
  },
  {
    name: 'a workflow: two versions',
    route: ROUTE,
    path: () => '/workflows/order?version=2&compare=1',
    expected: (page) => page.getByRole('region', { name: 'Changes' }).getByRole('button', { name: /Added Send/ }),
  },
  {
    name: 'a workflow: heat map',
    route: ROUTE,
    path: () => '/workflows/simple?view=heat',
    expected: (page) => page.getByRole('grid', { name: 'Figures by element' }),
  },
  {
    name: 'a workflow: no figures',
    route: ROUTE,
    path: () => '/workflows/order?view=heat',
    expected: (page) => page.getByText(/^No matching runs/),
  },
  {
    name: 'a workflow: its source',
    route: ROUTE,
    path: () => '/workflows/order?view=source',
    expected: (page) => page.getByRole('region', { name: 'BPMN' }),
  },
  {
    name: 'a nonexistent workflow',
    route: ROUTE,
    path: () => '/workflows/nothing',
    expected: (page) => page.getByRole('alert'),
  },
];

const POLICY_VIEWS: readonly View[] = [
  {
    name: 'policies',
    route: 'policies',
    path: () => '/policies',
    expected: (page) => page.getByRole('row', { name: /writer calls note/ }).first(),
  },
  {
    name: 'policies: a policy decision',
    route: 'policies',
    path: () => '/policies',
    openView: async (page) => {
      await page
        .getByRole('row', { name: /writer calls note/ })
        .first()
        .focus();
      await page.keyboard.press('Enter');
    },
    expected: dialog('Policy decision: writer calls note'),
    opens: ['policies/decision-panel.tsx'],
  },
  {
    name: 'policies: none',
    route: 'policies',
    path: () => '/policies',
    mockApi: mockEmptyList(/^policy\/decisions$/),
    expected: (page) => page.getByText('No policy decisions yet'),
  },
  {
    name: 'policies: the policy',
    route: 'policies',
    path: () => '/policies?tab=policy&file=tools.cedar',
    expected: (page) => page.getByRole('region', { name: 'Content of tools.cedar' }),
  },
  {
    name: 'policies: the policy trial',
    route: 'policies',
    path: () => '/policies?tab=trial',
    expected: (page) => button(page, 'Evaluate'),
  },
  {
    name: 'policies: adding a file',
    route: 'policies',
    path: () => '/policies?tab=trial',
    openView: click('Add file'),
    expected: (page) => page.getByRole('textbox', { name: 'Name of the new file' }),
    opens: ['policies/add-file-button.tsx'],
  },
  {
    name: 'policies: changed decisions',
    route: 'policies',
    path: () => '/policies?tab=trial&workflow=agent',
    openView: async (page) => {
      await button(page, 'Add file').click();
      await page.getByRole('textbox', { name: 'Name of the new file' }).fill('more.cedar');
      await page.keyboard.press('Enter');
      await page
        .getByRole('textbox', { name: 'Draft of more.cedar' })
        .fill(
          '@id("notes") @acceptsTaint("true") permit (principal == Agent::"writer", action == Action::"callUnattended", resource == Tool::"note");',
        );
      await button(page, 'Evaluate').click();
    },
    expected: (page) =>
      page
        .getByRole('region', { name: 'What would change' })
        .getByRole('row', { name: /Less strict/ })
        .first(),
  },
  {
    name: 'policies: an invalid draft',
    route: 'policies',
    path: () => '/policies?tab=trial&workflow=agent',
    openView: async (page) => {
      await page.getByRole('textbox', { name: /^Draft of/ }).fill('permit');
      await button(page, 'Evaluate').click();
    },
    expected: (page) => page.getByRole('alert').getByRole('button').first(),
  },
];

export const WORKFLOW_AND_POLICY_VIEWS: readonly View[] = [
  ...WORKFLOW_VIEWS,
  ...POLICY_VIEWS,
  {
    name: 'a page that crashed',
    route: 'workflows',
    isReplaced: true,
    path: () => '/workflows',
    mockApi: (page) =>
      page.route('**/api/workflows?*', (route) => route.fulfill({ json: { items: [null], nextCursor: null } })),
    expected: heading('This page could not be shown'),
  },
];
