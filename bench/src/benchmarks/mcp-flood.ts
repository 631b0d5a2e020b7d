import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agentMcpPlugin } from '@countersign/agent-mcp';
import { createHost, type Host, type JsonObject } from '@countersign/core';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { storagePostgresPlugin } from '@countersign/storage-postgres';
import type { Benchmark } from '../benchmark.js';
import { buildFloodingProgram, FLOODS, type Flood } from '../hostile/flooding-program.js';
import { median, quantile } from '../measure/statistics.js';
import { formatNumber, type Table } from '../measure/table.js';

const DURATION_SECONDS = 10;

interface FloodSample {
  readonly flood: Flood | 'none';
  /** Response times of an HTTP server in the same process, in ms. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Log message about the MCP server that is no longer responding. */
  readonly logMessage: string;
}

/** HTTP response time of a process while an MCP server that it started writes endless output. */
export const mcpFlood: Benchmark = {
  name: 'mcp-flood',
  database: true,
  async run({ postgres, progress }) {
    const samples: FloodSample[] = [];
    for (const flood of ['none', ...FLOODS] as const) {
      progress(flood);
      samples.push(await measure(flood, await postgres.createDatabase()));
    }
    return {
      tables: [table(samples)],
      notes: [`${DURATION_SECONDS} s per row, one request at a time.`],
      figures: { samples },
    };
  },
};

async function measure(flood: FloodSample['flood'], connectionString: string): Promise<FloodSample> {
  const server = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const warnings: string[] = [];
  const host = createFloodHost(
    connectionString,
    flood === 'none' ? [] : [{ Name: 'flood', Command: process.execPath, Args: ['-e', buildFloodingProgram(flood)] }],
    warnings,
  );
  const times: number[] = [];
  try {
    await host.start();
    const end = performance.now() + DURATION_SECONDS * 1_000;
    while (performance.now() < end) {
      const startedAt = performance.now();
      await requestOnce(port);
      times.push(performance.now() - startedAt);
    }
  } finally {
    await host.stop();
    server.close();
  }
  return {
    flood,
    p50: median(times),
    p99: quantile(times, 0.99),
    max: Math.max(...times),
    logMessage: warnings.find((line) => line.includes('is not responding')) ?? '–',
  };
}

function createFloodHost(connectionString: string, servers: readonly JsonObject[], warnings: string[]): Host {
  const ignore = (): void => undefined;
  return createHost({
    plugins: [storagePostgresPlugin, outboundHttpPlugin, agentMcpPlugin],
    configuration: {
      overrides: {
        Storage: { Postgres: { ConnectionString: connectionString } },
        Agents: { Mcp: { Isolation: 'none', Servers: [...servers] } },
      },
    },
    logger: { debug: ignore, info: ignore, warn: (_fields, message) => void warnings.push(message), error: ignore },
  });
}

function requestOnce(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1' }, (response) => response.resume().on('end', resolve)).on('error', reject);
  });
}

function table(samples: readonly FloodSample[]): Table {
  const rows = samples.map(({ flood, p50, p99, max, logMessage }) => [
    flood,
    formatNumber(p50, 2),
    formatNumber(p99, 1),
    formatNumber(max, 1),
    logMessage,
  ]);
  return {
    title: 'mcp-flood: response times of an HTTP server in the same process',
    columns: ['the program writes', 'p50 ms', 'p99 ms', 'max ms', 'log'],
    rows,
  };
}
