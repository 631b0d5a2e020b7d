import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from '@countersign/core';

/** The packages of Temporal's SDK are installed with the engine, outside of the workspaces. */
const ENGINE_PACKAGE = new URL('../../../packages/plugins/engine-temporal/', import.meta.url);
const SERVER_SCRIPT = fileURLToPath(new URL('../../../scripts/temporal-for-tests.mjs', import.meta.url));

export interface WorkflowClient {
  start(
    workflow: string,
    options: { readonly workflowId: string; readonly taskQueue: string; readonly args: readonly unknown[] },
  ): Promise<unknown>;
  getHandle(workflowId: string): { signal(name: string, ...args: readonly unknown[]): Promise<void> };
  count(query: string): Promise<{ readonly count: number }>;
}

export interface ClientConnection {
  readonly workflowService: {
    registerNamespace(request: object): Promise<unknown>;
    countWorkflowExecutions(request: object): Promise<unknown>;
  };
  close(): Promise<void>;
}

export interface TemporalWorker {
  run(): Promise<void>;
  shutdown(): void;
}

/** The parts of Temporal's SDK that the benchmark uses. Its types are not part of every build. */
interface TemporalSdk {
  readonly client: {
    readonly Connection: { connect(options: { readonly address: string }): Promise<ClientConnection> };
    readonly Client: new (options: { readonly connection: ClientConnection; readonly namespace: string }) => {
      readonly workflow: WorkflowClient;
    };
  };
  readonly worker: {
    readonly Worker: { create(options: object): Promise<TemporalWorker> };
    readonly NativeConnection: { connect(options: { readonly address: string }): Promise<{ close(): Promise<void> }> };
    readonly DefaultLogger: new (level: string) => object;
    bundleWorkflowCode(options: object): Promise<{ readonly code: string }>;
  };
  readonly activity: { activityInfo(): { readonly workflowExecution: { readonly workflowId: string } } };
}

export interface InstalledTemporal {
  readonly sdk: TemporalSdk;
  /** Folder in which the packages of the SDK are installed. */
  readonly modules: string;
  /** Plugin of our engine. */
  readonly plugin: Plugin;
  /** Folder with the Temporal server and the program that creates its tables. */
  readonly server: string;
}

/**
 * Finds Temporal.
 *
 * @throws {Error} if the server was not built, or the engine is not installed
 */
export async function findTemporal(): Promise<InstalledTemporal> {
  const require = createRequire(new URL('package.json', ENGINE_PACKAGE));
  // Not a literal, because the package is not part of every build.
  const engineName = '@countersign/engine-temporal';
  let plugin: Plugin;
  let sdk: TemporalSdk;
  try {
    plugin = ((await import(engineName)) as { readonly engineTemporalPlugin: Plugin }).engineTemporalPlugin;
    sdk = {
      client: require('@temporalio/client') as TemporalSdk['client'],
      worker: require('@temporalio/worker') as TemporalSdk['worker'],
      activity: require('@temporalio/activity') as TemporalSdk['activity'],
    };
  } catch (error) {
    throw new Error('The engine for Temporal is not installed. Run npm run install:temporal.', { cause: error });
  }
  return { sdk, plugin, server: findServer(), modules: fileURLToPath(new URL('node_modules', ENGINE_PACKAGE)) };
}

function findServer(): string {
  try {
    const output = execFileSync(process.execPath, [SERVER_SCRIPT], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const directory = output.trim();
    execFileSync(join(directory, 'sql'), ['--version'], { stdio: 'ignore' });
    return directory;
  } catch (error) {
    throw new Error(
      'There is no Temporal server with its sql tool. Run node scripts/temporal-for-tests.mjs --build, which needs Go.',
      { cause: error },
    );
  }
}
