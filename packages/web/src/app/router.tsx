import { BASE_PATH } from '@countersign/inbox-ui/app/base-url';
import { createBrowserRouter } from 'react-router';
import { NotFoundPage } from './not-found-page.js';
import { PageError } from './page-error.js';
import { Shell } from './shell.js';
import { StartPage } from './start-page.js';

/** Returns the `lazy` function of a route, which loads the page on the first visit. */
function lazyPage<K extends string>(load: () => Promise<Record<K, React.ComponentType>>, name: K) {
  return async () => ({ Component: (await load())[name] });
}

/**
 * Creates the router for all pages. Each page can be linked to and keeps its filters, tab and selection in the query
 * string.
 */
export function createRouter() {
  return createBrowserRouter(
    [
      {
        path: '/sign-in/callback',
        lazy: lazyPage(() => import('../session/sign-in-callback-page.js'), 'SignInCallbackPage'),
      },
      {
        path: '/',
        element: <Shell />,
        errorElement: <PageError />,
        children: [
          {
            errorElement: <PageError />,
            children: [
              { index: true, element: <StartPage /> },
              { path: 'runs', lazy: lazyPage(() => import('../runs/runs-page.js'), 'RunsPage') },
              { path: 'runs/new', lazy: lazyPage(() => import('../runs/start-run-page.js'), 'StartRunPage') },
              { path: 'runs/:runId', lazy: lazyPage(() => import('../run/run-page.js'), 'RunPage') },
              {
                path: 'approvals',
                lazy: lazyPage(() => import('@countersign/inbox-ui/approvals/approvals-page'), 'ApprovalsPage'),
              },
              {
                path: 'approvals/:approvalId',
                lazy: lazyPage(() => import('@countersign/inbox-ui/approvals/approvals-page'), 'ApprovalsPage'),
              },
              {
                path: 'approvals/questions/:questionId',
                lazy: lazyPage(() => import('@countersign/inbox-ui/approvals/approvals-page'), 'ApprovalsPage'),
              },
              {
                path: 'questions',
                lazy: lazyPage(() => import('@countersign/inbox-ui/approvals/questions-page'), 'QuestionsPage'),
              },
              { path: 'workflows', lazy: lazyPage(() => import('../workflows/workflows-page.js'), 'WorkflowsPage') },
              {
                path: 'workflows/:workflowId',
                lazy: lazyPage(() => import('../workflows/workflow-page.js'), 'WorkflowPage'),
              },
              {
                path: 'inbound-events',
                lazy: lazyPage(() => import('../inbound-events/inbound-events-page.js'), 'InboundEventsPage'),
              },
              {
                path: 'deliveries',
                lazy: lazyPage(() => import('../outbound-deliveries/deliveries-page.js'), 'DeliveriesPage'),
              },
              { path: 'policies', lazy: lazyPage(() => import('../policies/policies-page.js'), 'PoliciesPage') },
              { path: 'settings', lazy: lazyPage(() => import('../settings/settings-page.js'), 'SettingsPage') },
              { path: '*', element: <NotFoundPage /> },
            ],
          },
        ],
      },
    ],
    { basename: BASE_PATH },
  );
}
