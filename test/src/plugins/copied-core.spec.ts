import { readProblemError, type Client, type RunDetail } from '@countersign/contract';
import {
  ApiError,
  createHost,
  HostSettings,
  isApiError,
  isHostStartError,
  loadPlugins,
  PLUGIN_API_VERSION,
  type LoadedPlugin,
  type LoggerPort,
} from '@countersign/core';
import { createTestHost, processModel, serviceTask, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { createPluginWithCopiedCore, type PluginDirectory } from './copied-core.spec.support.js';

const TOKEN = 'a token that no page may show';

async function loadPlugin({ path }: PluginDirectory): Promise<LoadedPlugin> {
  const { plugins, problems } = await loadPlugins([path], path);
  expect(problems).to.deep.equal([]);
  return plugins[0]!;
}

describe('plugin with its own copy of @countersign/core', () => {
  let directory: PluginDirectory;
  let countersign: TestHost;
  let viewer: Client;
  const warnings: unknown[] = [];

  before(async () => {
    directory = await createPluginWithCopiedCore();
    const logger: LoggerPort = {
      debug: () => undefined,
      info: () => undefined,
      warn: (fields) => warnings.push(fields),
      error: () => undefined,
    };
    const { plugin } = await loadPlugin(directory);
    countersign = await createTestHost({
      plugins: [plugin],
      configuration: { Copied: { Token: TOKEN } },
      logger,
    });
    viewer = await countersign.client('viewer');
  });

  after(async () => {
    await countersign.close();
    await directory.remove();
  });

  async function runToEnd(
    workflowId: string,
    jobType: string,
    taskXml: string,
    ...flows: string[]
  ): Promise<RunDetail> {
    await countersign.deploy(
      processModel(
        workflowId,
        `<bpmn:startEvent id="start" />${serviceTask('work', jobType)}<bpmn:endEvent id="end" />${taskXml}`,
        'start > work',
        'work > end',
        ...flows,
      ).replace('<bpmn:process', '<bpmn:error id="expected" errorCode="sold-out" /><bpmn:process'),
    );
    const { runId } = await viewer.startRun({ body: { workflowId } });
    return waitUntil('the run is no longer active', async () => {
      const run = await viewer.getRun({ runId });
      return run.status !== 'active' && run;
    });
  }

  it('should have its own error classes, which the host still recognizes', async () => {
    const { ApiError: CopiedApiError } = (await import(
      `${directory.path}/node_modules/@countersign/core/dist/plugin.js`
    )) as {
      ApiError: typeof ApiError;
    };

    expect(CopiedApiError).not.to.equal(ApiError);
    expect(isApiError(new CopiedApiError('conflict', 'Too late.'))).to.equal(true);
  });

  it('should respond with the status of the error that a webhook throws', async () => {
    for (const path of ['copied', 'former']) {
      const response = await fetch(`${countersign.url}/webhooks/${path}`, { method: 'POST', body: '{}' });

      expect(response.status, path).to.equal(401);
      expect(await response.json(), path).to.include({ code: 'invalid_signature', detail: 'The signature is wrong.' });
    }
  });

  it('should respond with an error code that the plugin defines', async () => {
    const response = await fetch(`${countersign.url}/webhooks/over-quota`, { method: 'POST', body: '{}' });

    expect([response.status, response.headers.get('content-type'), response.headers.get('retry-after')]).to.deep.equal([
      429,
      'application/problem+json',
      '60',
    ]);
    const { code, retryable, problem } = await readProblemError(response);
    expect({ code, retryable }).to.deep.equal({ code: 'copied/quota_exceeded', retryable: true });
    expect(problem).to.include({
      type: 'urn:countersign:problem:copied/quota_exceeded',
      title: 'Quota exceeded',
      detail: 'Only three deliveries a day are accepted.',
      limit: 3,
    });
  });

  it('should throw a BPMN error that a boundary event catches', async () => {
    const run = await runToEnd(
      'boundary',
      'reject',
      '<bpmn:boundaryEvent id="caught" attachedToRef="work"><bpmn:errorEventDefinition errorRef="expected" /></bpmn:boundaryEvent><bpmn:endEvent id="instead" />',
      'caught > instead',
    );

    expect(run).to.include({ status: 'completed', outcome: 'completed' });
    expect(run.steps.map(({ elementId }) => elementId))
      .to.include('instead')
      .and.not.include('end');
  });

  it('should fail a step without a retry when a job handler throws a terminal failure', async () => {
    const run = await runToEnd('terminal', 'fail', '');

    const step = run.steps.find(({ elementId }) => elementId === 'work');
    expect(run.status).to.equal('failed');
    expect(step).to.have.nested.property('error.code', 'no_such_item');
    expect(step).to.include({ attempt: 1 });
  });

  it('should have its secret settings recognized and hidden by the host', async () => {
    const entry = (await countersign.host.get(HostSettings).getCatalogue()).find(({ key }) => key === 'Copied:Token');

    expect(entry).to.include({ isSecret: true, isSet: true });
    expect(JSON.stringify([countersign.host.configuration, entry])).not.to.contain(TOKEN);
  });

  it('should be named in a log warning with the location of the copy', () => {
    const [warning] = warnings.filter((each) => (each as { plugin?: unknown }).plugin === 'copied');

    expect(warning).to.include({ plugin: 'copied', version: PLUGIN_API_VERSION });
    expect(warning).to.have.property('from').that.contains('plugin/node_modules/@countersign/core/');
  });

  it('should prevent the start when the version of the copy is incompatible', async () => {
    const incompatibleDirectory = await createPluginWithCopiedCore();
    try {
      // given
      await incompatibleDirectory.setCoreVersion('99.0.0');
      const plugin = await loadPlugin(incompatibleDirectory);

      // when
      const startError = (() => {
        try {
          createHost({ plugins: [plugin] });
        } catch (error) {
          return error;
        }
        return undefined;
      })();

      // then
      if (!isHostStartError(startError))
        throw new Error(`Expected a host start error, but received: ${String(startError)}`);
      expect(startError.problems.map(({ code, plugins }) => [code, plugins])).to.deep.equal([
        ['plugin_core_mismatch', ['copied']],
      ]);
      expect(startError.message)
        .to.contain('version 99.0.0')
        .and.contain(`version ${PLUGIN_API_VERSION}`)
        .and.contain('plugin/node_modules/@countersign/core/')
        .and.contain('peerDependencies');
    } finally {
      await incompatibleDirectory.remove();
    }
  });
});
