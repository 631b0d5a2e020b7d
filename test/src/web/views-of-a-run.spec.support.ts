import { button, click, dialog, failing, type Made, type View } from './view.spec.support.js';

const reviewing =
  (query = '') =>
  ({ reviewing: { runId } }: Made): string =>
    `/runs/${runId}${query}`;
const stepOf = ({ reviewing: { runId, steps } }: Made): string =>
  `/runs/${runId}?step=${steps.find(({ elementId }) => elementId === 'work')?.stepId ?? ''}`;
const route = 'runs/:runId';

export const VIEWS_OF_A_RUN: readonly View[] = [
  { name: 'a run', route, at: reviewing(), seen: (page) => page.locator('.cs-diagram[data-ready="true"]') },
  {
    name: 'a failed run',
    route,
    at: ({ failed }) => `/runs/${failed.runId}`,
    seen: (page) => page.getByText('“Charge the card” failed: The card was declined.'),
  },
  {
    name: 'a run, as a viewer',
    route,
    at: ({ failed }) => `/runs/${failed.runId}`,
    as: 'viewer',
    seen: (page) => page.getByText('“Charge the card” failed: The card was declined.'),
  },
  {
    name: 'a run: a step',
    route,
    at: stepOf,
    seen: (page) => dialog('Step Research the ticket')(page).getByText('3 turns, 2 tool calls'),
  },
  {
    name: 'a run: a tool call of its agent',
    route,
    at: stepOf,
    act: click('look Called'),
    seen: (page) => page.getByRole('tree', { name: 'Arguments' }),
  },
  {
    name: 'a run: a failed step',
    route,
    at: ({ failed: { runId, steps } }) => `/runs/${runId}?step=${steps.at(-1)?.stepId ?? ''}`,
    seen: dialog('Step Charge the card'),
  },
  {
    name: 'a run: no matching step',
    route,
    at: reviewing(),
    act: (page) => page.getByRole('textbox', { name: 'Find a step' }).fill('no such step'),
    seen: (page) => page.getByText('No matching steps.'),
  },
  { name: 'a run: another moment', route, at: reviewing('?at=9'), seen: (page) => page.getByText(/^Event 9 of/) },
  {
    name: 'a run: approvals',
    route,
    at: reviewing('?tab=approvals'),
    seen: (page) => page.getByRole('article', { name: 'Publish the report, Round 1' }),
  },
  {
    name: 'a run: no approvals',
    route,
    at: ({ message }) => `/runs/${message.runId}?tab=approvals`,
    seen: (page) => page.getByText('No approvals in this run'),
  },
  {
    name: 'a run: conversation',
    route,
    at: reviewing('?tab=conversation'),
    seen: (page) => page.getByText('Answered').first(),
  },
  {
    name: 'a run: a question',
    route,
    at: ({ asking }) => `/runs/${asking.runId}?tab=conversation`,
    seen: (page) => page.getByRole('combobox', { name: 'Team' }),
  },
  {
    name: 'a run: artifacts',
    route,
    at: reviewing('?tab=artifacts'),
    seen: (page) => page.getByRole('row', { name: /report\.md/ }),
  },
  {
    name: 'a run: an artifact',
    route,
    at: reviewing('?tab=artifacts&artifact=report.md'),
    seen: (page) => page.getByRole('region', { name: 'report.md' }).getByRole('heading', { name: 'Findings' }),
  },
  {
    name: 'a run: no artifacts',
    route,
    at: ({ message }) => `/runs/${message.runId}?tab=artifacts`,
    seen: (page) => page.getByText('This run has no artifacts'),
  },
  {
    name: 'a run: variables',
    route,
    at: reviewing('?tab=variables'),
    seen: (page) => page.getByRole('tabpanel', { name: 'Variables' }).getByRole('heading', { name: 'Inputs' }),
  },
  {
    name: 'a run: events',
    route,
    at: reviewing('?tab=events'),
    seen: (page) => page.getByRole('listbox', { name: 'Events of the run' }).getByRole('option').first(),
  },
  {
    name: 'a run: an event',
    route,
    at: reviewing('?tab=events&seq=4'),
    seen: (page) => page.getByRole('region', { name: 'Event 4' }),
  },
  {
    name: 'a run: events as a table',
    route,
    at: reviewing('?tab=events&view=list&kind=approval'),
    seen: (page) => page.getByRole('grid', { name: 'Events of the run' }),
  },
  {
    name: 'a run: events as JSON',
    route,
    at: reviewing('?tab=events&view=json'),
    seen: (page) => page.getByRole('tree', { name: 'Events of the run' }),
  },
  {
    name: 'a run: child runs',
    route,
    at: ({ calling }) => `/runs/${calling.runId}?tab=children`,
    seen: (page) => page.getByRole('row', { name: /web-approval/ }),
  },
  {
    name: 'a run: no child runs',
    route,
    at: reviewing('?tab=children'),
    seen: (page) => page.getByText('No called runs'),
  },
  {
    name: 'a run: the plan of a cancellation',
    route,
    at: ({ spare }) => `/runs/${spare.runId}`,
    act: click('Cancel the run …'),
    seen: (page) => dialog('Cancel the run')(page).getByText('Cool down (timer)'),
    opens: ['run/actions/cancel-dialog.tsx'],
  },
  {
    name: 'a run: the plan of a recovery',
    route,
    at: ({ failed }) => `/runs/${failed.runId}`,
    act: click('Recover …'),
    seen: (page) => dialog('Recover the run')(page).getByRole('heading', { name: 'Retried' }),
    opens: ['run/actions/recover-dialog.tsx'],
  },
  {
    name: 'a run: the plan of a migration',
    route,
    at: ({ message }) => `/runs/${message.runId}`,
    act: click('Move to version 2 …'),
    seen: (page) => dialog('Move the run to version 2')(page).getByText(/From version 1/),
    opens: ['run/actions/migrate-dialog.tsx'],
  },
  {
    name: 'a run: help for sending its message',
    route,
    at: ({ message }) => `/runs/${message.runId}`,
    act: click('How to send it'),
    seen: dialog('How to send order.paid'),
    opens: ['run/waiting/how-to-deliver.tsx'],
  },
  {
    name: 'a run: the notice after an action',
    route,
    at: reviewing('?tab=artifacts'),
    act: async (page) => {
      const chooser = page.waitForEvent('filechooser');
      await button(page, 'Upload files').click();
      await (await chooser).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('one') });
    },
    seen: (page) => page.getByText(/notes\.txt was stored as version/),
  },
  {
    name: 'a nonexistent run',
    route,
    at: () => '/runs/01890000-0000-7000-8000-000000000000',
    seen: (page) => page.getByText('Run not found'),
  },
  {
    name: 'a run: failed to load',
    route,
    at: reviewing(),
    given: failing(/^runs\/[^/]+$/),
    seen: (page) => page.getByRole('alert'),
  },
];
