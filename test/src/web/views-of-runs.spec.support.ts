import { button, click, dialog, empty, failing, heading, silent, type View } from './view.spec.support.js';

const RUNS: readonly View[] = [
  {
    name: 'runs',
    route: 'runs',
    at: () => '/runs',
    seen: (page) => page.getByRole('row', { name: /web-failing/ }).first(),
  },
  {
    name: 'runs, as a viewer',
    route: 'runs',
    at: () => '/runs',
    as: 'viewer',
    seen: (page) => page.getByRole('row', { name: /web-failing/ }).first(),
  },
  {
    name: 'runs: filters',
    route: 'runs',
    at: () => '/runs?status=failed&q=web',
    act: click('Filters'),
    seen: dialog('Filters'),
    opens: ['runs/run-filters.tsx'],
  },
  {
    name: 'runs: views',
    route: 'runs',
    at: () => '/runs?status=failed&q=web',
    act: click('Unsaved view'),
    seen: (page) => page.getByRole('menuitem', { name: 'Save this view …' }),
    opens: ['runs/saved-views-menu.tsx'],
  },
  {
    name: 'runs: naming a view',
    route: 'runs',
    at: () => '/runs?status=failed&q=web',
    act: async (page) => {
      await button(page, 'Unsaved view').click();
      await page.getByRole('menuitem', { name: 'Save this view …' }).click();
    },
    seen: dialog('Save this view'),
  },
  {
    name: 'runs: selected',
    route: 'runs',
    at: () => '/runs?q=web',
    act: (page) =>
      page
        .getByRole('checkbox', { name: /Choose web-failing/ })
        .first()
        .click(),
    seen: (page) => page.getByText('1 run chosen'),
  },
  {
    name: 'runs: the plan of a bulk cancellation',
    route: 'runs',
    at: () => '/runs?q=web',
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all loaded runs' }).click();
      await button(page, 'Cancel …').click();
    },
    seen: (page) => dialog('Cancel runs')(page).getByText(/would be cancelled/),
    opens: ['runs/bulk-runs-dialog.tsx'],
  },
  {
    name: 'runs: the plan of a bulk recovery',
    route: 'runs',
    at: () => '/runs?q=web',
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all loaded runs' }).click();
      await button(page, 'Recover …').click();
    },
    seen: (page) => dialog('Recover runs')(page).getByText(/would be recovered/),
  },
  {
    name: 'runs: none',
    route: 'runs',
    at: () => '/runs',
    given: empty(/^runs(\/count)?$/),
    seen: (page) => page.getByText('No runs yet'),
  },
  {
    name: 'runs: no matching run',
    route: 'runs',
    at: () => '/runs?q=nothing-like-this',
    seen: (page) => page.getByText('No matching runs'),
  },
  {
    name: 'runs: loading',
    route: 'runs',
    at: () => '/runs',
    given: silent(/^runs(\/count)?$/),
    seen: (page) => page.getByText('Loading …'),
  },
  {
    name: 'runs: failed to load',
    route: 'runs',
    at: () => '/runs',
    given: failing(/^runs(\/count)?$/),
    seen: (page) => page.getByRole('alert'),
  },
  {
    name: 'the command palette',
    route: 'runs',
    at: () => '/runs',
    act: (page) => page.getByRole('button', { name: 'Go to …' }).click(),
    seen: (page) => page.getByRole('option', { name: /^Go to Settings/ }),
    opens: ['palette/palette.tsx'],
  },
  {
    name: 'keyboard shortcuts',
    route: 'runs',
    at: () => '/runs',
    act: (page) => page.keyboard.press('?'),
    seen: dialog('Keyboard shortcuts'),
    opens: ['keys/keys-help.tsx'],
  },
  {
    name: 'customizing shortcuts',
    route: 'runs',
    at: () => '/runs',
    act: async (page) => {
      await page.getByRole('button', { name: 'ada · Admin' }).click();
      await page.getByRole('menuitem', { name: 'Customize shortcuts' }).click();
      await button(page, 'Approve: a. Change').click();
      await page.keyboard.press('r');
    },
    seen: (page) => page.getByRole('alert').getByText('r is taken: Reject.'),
    opens: ['keys/keyboard-dialog.tsx'],
  },
  {
    name: 'the user menu',
    route: 'runs',
    at: () => '/runs',
    act: (page) => page.getByRole('button', { name: 'ada · Admin' }).click(),
    seen: (page) => page.getByRole('menuitem', { name: 'Sign out' }),
    opens: ['app/user-menu.tsx'],
  },
  {
    name: 'an ended session',
    route: 'runs',
    at: () => '/runs',
    given: (page) => page.route('**/api/runs?*', (route) => route.fulfill({ status: 401, json: {} })),
    seen: dialog('Your session has ended'),
    opens: ['session/sign-in-page.tsx'],
  },
];

const STARTING: readonly View[] = [
  {
    name: 'starting a run',
    route: 'runs/new',
    at: () => '/runs/new',
    seen: (page) => page.getByRole('combobox', { name: 'Workflow' }),
  },
  {
    name: 'starting a run: its inputs',
    route: 'runs/new',
    at: () => '/runs/new?workflowId=order',
    seen: (page) => button(page, 'Start run'),
  },
  {
    name: 'starting a run: invalid inputs',
    route: 'runs/new',
    at: () => '/runs/new?workflowId=schema',
    act: async (page) => {
      await button(page, 'Add to Reviewers').click();
      await button(page, 'Start run').click();
    },
    seen: (page) => page.getByRole('alert').getByText(/problems? to correct/),
  },
  {
    name: 'starting a run: a nonexistent workflow',
    route: 'runs/new',
    at: () => '/runs/new?workflowId=nothing',
    seen: (page) => page.getByText('Workflow nothing not found.'),
  },
  {
    name: 'starting a run: no workflow',
    route: 'runs/new',
    at: () => '/runs/new',
    given: empty(/^workflows$/),
    seen: (page) => page.getByText('No workflows'),
  },
];

export const VIEWS_OF_RUNS: readonly View[] = [
  ...RUNS,
  ...STARTING,
  { name: 'an unknown path', route: '*', at: () => '/nothing/here', seen: heading('Nothing here') },
];
