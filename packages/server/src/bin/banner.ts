import type { DeployedFiles } from './deploy-workflows.js';

export interface BannerContent {
  readonly version: string;
  readonly url: string;
  readonly dataDirectory: string;
  /** Whether commands find the data directory without `--data`. */
  readonly isDefaultDirectory: boolean;
  readonly configurationFile: string | undefined;
  readonly deployed: DeployedFiles;
  readonly devTokens: boolean;
  readonly issuer: string | undefined;
}

/** Returns the text that is printed when the server listens: its URL, its contents and the next steps. */
export function formatBanner(content: BannerContent): string {
  const { version, url, dataDirectory, configurationFile, deployed, devTokens, issuer } = content;
  const formatRow = (name: string, value: string): string => `  ${name.padEnd(14)} ${value}`;
  const workflows = deployed.workflows.map((each) => formatVersionLabel(each.workflowId, each));
  const decisions = deployed.decisions.map((each) => formatVersionLabel(each.decisionId, each));
  return [
    '',
    `Countersign ${version} runs on ${url}`,
    '',
    formatRow('data', dataDirectory),
    ...(configurationFile === undefined ? [] : [formatRow('configuration', configurationFile)]),
    formatRow('workflows', workflows.length === 0 ? 'none deployed at start-up' : workflows.join(', ')),
    ...(decisions.length === 0 ? [] : [formatRow('decisions', decisions.join(', '))]),
    formatRow(
      'sign-in',
      devTokens ? 'development tokens, for this machine only' : (issuer ?? 'none: set Auth:Issuer and Auth:Audience'),
    ),
    '',
    ...(devTokens
      ? formatNextSteps(content)
      : [`Next: open ${url} in a browser. The API is described at ${url}/api/docs.`]),
    '',
    'Press Ctrl-C to stop.',
    '',
    '',
  ].join('\n');
}

function formatVersionLabel(
  id: string,
  { version, created }: { readonly version: number; readonly created: boolean },
): string {
  return `${id} v${version}${created ? ' (new)' : ''}`;
}

function formatNextSteps({ url, dataDirectory, isDefaultDirectory }: BannerContent): string[] {
  const data = isDefaultDirectory ? '' : ` --data ${quoteShellArgument(dataDirectory)}`;
  return [
    `Next: open ${url} in a browser, or in another terminal:`,
    '',
    `  TOKEN=$(npx countersign token --role approver${data})`,
    `  curl -H "Authorization: Bearer $TOKEN" ${url}/api/workflows`,
    '',
    `The API is described at ${url}/api/docs.`,
  ];
}

function quoteShellArgument(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
