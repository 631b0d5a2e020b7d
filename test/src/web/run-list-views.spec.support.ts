import {
  button,
  click,
  dialog,
  mockEmptyList,
  mockFailure,
  heading,
  mockNoResponse,
  type View,
} from './view.spec.support.js';

const LIST_VIEWS: readonly View[] = [
  {
    name: 'runs',
    route: 'runs',
    path: () => '/runs',
    expected: (page) => page.getByRole('row', { name: /web-failing/ }).first(),
  },
  {
    name: 'runs, as a viewer',
    route: 'runs',
    path: () => '/runs',
    viewer: 'viewer',
    expected: (page) => page.getByRole('row', { name: /web-failing/ }).first(),
  },
  {
    name: 'runs: filters',
    route: 'runs',
    path: () => '/runs?status=failed&q=web',
    openView: click('Filters'),
    expected: dialog('Filters'),
    opens: ['runs/run-filter-bar.tsx'],
  },
  {
    name: 'runs: views',
    route: 'runs',
    path: () => '/runs?status=failed&q=web',
    openView: click('Unsaved view'),
    expected: (page) => page.getByRole('menuitem', { name: 'Save view…' }),
  },
  {
    name: 'runs: naming a view',
    route: 'runs',
    path: () => '/runs?status=failed&q=web',
    openView: async (page) => {
      await button(page, 'Unsaved view').click();
      await page.getByRole('menuitem', { name: 'Save view…' }).click();
    },
    expected: dialog('Save view'),
  },
  {
    name: 'runs: selected',
    route: 'runs',
    path: () => '/runs?q=web',
    openView: (page) =>
      page
        .getByRole('checkbox', { name: /Select web-failing/ })
        .first()
        .click(),
    expected: (page) => page.getByText('1 run selected'),
  },
  {
    name: 'runs: the plan of a bulk cancellation',
    route: 'runs',
    path: () => '/runs?q=web',
    openView: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all loaded runs' }).click();
      await button(page, 'Cancel…').click();
    },
    expected: (page) => dialog('Cancel runs')(page).getByText(/will be cancelled/),
    opens: ['runs/bulk-runs-dialog.tsx'],
  },
  {
    name: 'runs: the plan of a bulk recovery',
    route: 'runs',
    path: () => '/runs?q=web',
    openView: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all loaded runs' }).click();
      await button(page, 'Recover…').click();
    },
    expected: (page) => dialog('Recover runs')(page).getByText(/will be recovered/),
  },
  {
    name: 'runs: none',
    route: 'runs',
    path: () => '/runs',
    mockApi: mockEmptyList(/^runs(\/count)?$/),
    expected: (page) => page.getByText('No runs yet'),
  },
  {
    name: 'runs: no matching run',
    route: 'runs',
    path: () => '/runs?q=nothing-like-this',
    expected: (page) => page.getByText('No matching runs'),
  },
  {
    name: 'runs: loading',
    route: 'runs',
    path: () => '/runs',
    mockApi: mockNoResponse(/^runs(\/count)?$/),
    expected: (page) => page.getByText('Loading…'),
  },
  {
    name: 'runs: failed to load',
    route: 'runs',
    path: () => '/runs',
    mockApi: mockFailure(/^runs(\/count)?$/),
    expected: (page) => page.getByRole('alert'),
  },
  {
    name: 'the command palette',
    route: 'runs',
    path: () => '/runs',
    openView: (page) => page.getByRole('button', { name: 'Go to…' }).click(),
    expected: (page) => page.getByRole('option', { name: /^Go to Settings/ }),
    opens: ['palette/palette.tsx'],
  },
  {
    name: 'keyboard shortcuts',
    route: 'runs',
    path: () => '/runs',
    openView: (page) => page.keyboard.press('?'),
    expected: dialog('Keyboard shortcuts'),
    opens: ['keys/keys-help.tsx'],
  },
  {
    name: 'customizing shortcuts',
    route: 'runs',
    path: () => '/runs',
    openView: async (page) => {
      await page.getByRole('button', { name: 'ada · Admin' }).click();
      await page.getByRole('menuitem', { name: 'Customize shortcuts' }).click();
      await button(page, 'Approve: a. Change').click();
      await page.keyboard.press('r');
    },
    expected: (page) => page.getByRole('alert').getByText('r is already used for “Reject”.'),
    opens: ['keys/keyboard-dialog.tsx'],
  },
  {
    name: 'the user menu',
    route: 'runs',
    path: () => '/runs',
    openView: (page) => page.getByRole('button', { name: 'ada · Admin' }).click(),
    expected: (page) => page.getByRole('menuitem', { name: 'Sign out' }),
    opens: ['app/user-menu.tsx'],
  },
  {
    name: 'an ended session',
    route: 'runs',
    path: () => '/runs',
    mockApi: (page) => page.route('**/api/runs?*', (route) => route.fulfill({ status: 401, json: {} })),
    expected: dialog('Your session has ended'),
    opens: ['session/sign-in-page.tsx'],
  },
];

const START_VIEWS: readonly View[] = [
  {
    name: 'starting a run',
    route: 'runs/new',
    path: () => '/runs/new',
    expected: (page) => page.getByRole('combobox', { name: 'Workflow' }),
  },
  {
    name: 'starting a run: its inputs',
    route: 'runs/new',
    path: () => '/runs/new?workflowId=order',
    expected: (page) => button(page, 'Start run'),
  },
  {
    name: 'starting a run: invalid inputs',
    route: 'runs/new',
    path: () => '/runs/new?workflowId=schema',
    openView: async (page) => {
      await button(page, 'Add to Reviewers').click();
      await button(page, 'Start run').click();
    },
    expected: (page) => page.getByRole('alert').getByText(/problems? to correct/),
  },
  {
    name: 'starting a run: a nonexistent workflow',
    route: 'runs/new',
    path: () => '/runs/new?workflowId=nothing',
    expected: (page) => page.getByText('Workflow nothing not found.'),
  },
  {
    name: 'starting a run: no workflow',
    route: 'runs/new',
    path: () => '/runs/new',
    mockApi: mockEmptyList(/^workflows$/),
    expected: (page) => page.getByText('No workflows'),
  },
];

export const RUN_LIST_VIEWS: readonly View[] = [
  ...LIST_VIEWS,
  ...START_VIEWS,
  { name: 'an unknown path', route: '*', path: () => '/nothing/here', expected: heading('Page not found') },
];
