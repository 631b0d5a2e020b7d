// Generates clients of the API from the OpenAPI document that a server serves, compiles them, and lets a small program with each
// start a run, upload an artifact and approve the run: node scripts/generated-clients.mjs [GENERATOR …]
// The generators are downloaded once into node_modules/.cache. One whose language is not installed is skipped, by name.
import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestHost, processModel, startTestPostgres, TEST_POSTGRES_VARIABLE } from '@countersign/testing';
import { csharpTools, hasCsharpTools } from './csharp-tools.mjs';
import { formatResults, lastLine } from './mocha/results.mjs';

const OPENAPI_GENERATOR = '7.25.0';
const OPENAPI_PYTHON_CLIENT = '0.29.1';
const NPM_PACKAGES = {
  '@hey-api/openapi-ts': '0.95.0',
  '@types/node': '20.19.25',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  'typescript': '5.9.3',
};

const WORKFLOW_ID = 'generated-clients';
const MODEL = processModel(
  WORKFLOW_ID,
  '<bpmn:startEvent id="start" /><bpmn:userTask id="ok" name="Approve it" /><bpmn:endEvent id="end" />',
  'start > ok',
  'ok > end',
);
const ARTIFACT = 'Release notes: grüße, 你好.\n';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/generated-clients');
const programs = join(root, 'test/generated-clients');
const jar = join(cache, `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`);
const npmTools = join(cache, 'npm');
const documentFile = join(cache, 'openapi.json');
const artifactFile = join(cache, 'notes.txt');

const csharp = csharpTools(cache, join(programs, 'csharp-compiler'), exec);

const IMPORT_ALL = `
import importlib, pkgutil, countersign_client
for module in pkgutil.walk_packages(countersign_client.__path__, 'countersign_client.'):
    importlib.import_module(module.name)
`;

/**
 * @typedef {object} Generator
 * @property {readonly string[]} needs programs without which it is skipped
 * @property {readonly string[]} [compileNeeds] programs without which the client is only generated
 * @property {(work: string) => Promise<unknown>} generate
 * @property {(work: string) => Promise<unknown>} compile
 * @property {(work: string, environment: Record<string, string>) => Promise<string>} run
 */

/** @type {Readonly<Record<string, Generator>>} */
const GENERATORS = {
  'python': {
    needs: ['mvn', 'java', 'python3'],
    generate: (work) => openApiGenerator('python', work, 'packageName=countersign_client'),
    compile: async (work) => {
      await makeVenv(join(cache, 'python'), '-r', join(work, 'requirements.txt'));
      await exec(python('python'), ['-c', IMPORT_ALL], { cwd: work });
    },
    run: (work, environment) => runPython('python', work, environment),
  },
  'typescript-fetch': {
    needs: ['mvn', 'java'],
    generate: (work) => openApiGenerator('typescript-fetch', join(work, 'client')),
    compile: compileTypeScript,
    run: runTypeScript,
  },
  'go': {
    needs: ['mvn', 'java', 'go'],
    generate: (work) => openApiGenerator('go', work, 'packageName=countersign'),
    compile: async (work) => {
      copyProgram('go', join(work, 'example'));
      // Its tests need packages of their own, and a server.
      rmSync(join(work, 'test'), { recursive: true });
      await exec('go', ['mod', 'tidy'], { cwd: work });
      await exec('go', ['vet', './...'], { cwd: work });
      await exec('go', ['build', '-o', 'example/example', './example'], { cwd: work });
    },
    run: (work, environment) => exec('./example/example', [], { cwd: work, environment }),
  },
  'java': {
    needs: ['mvn', 'java', 'javac'],
    // By default it sends an empty list or map for each one that is not set, which means something else.
    generate: (work) => openApiGenerator('java', work, 'artifactId=countersign-client,containerDefaultToNull=true'),
    compile: async (work) => {
      copyProgram('java', join(work, 'src/main/java'));
      const goals = ['compile', 'dependency:copy-dependencies', '-DincludeScope=runtime'];
      await exec('mvn', ['-q', '-B', '-Dmaven.test.skip=true', ...goals], { cwd: work });
    },
    run: (work, environment) =>
      exec('java', ['-cp', ['target/classes', 'target/dependency/*'].join(delimiter), 'Main'], {
        cwd: work,
        environment,
      }),
  },
  'csharp': {
    needs: ['mvn', 'java'],
    compileNeeds: hasCsharpTools ? ['python3'] : ['dotnet'],
    generate: (work) => openApiGenerator('csharp', work, 'packageName=Countersign.Client,targetFramework=net8.0'),
    compile: async (work) => {
      copyProgram('csharp', join(work, 'example'));
      await (isInstalled('dotnet')
        ? exec('dotnet', ['build', '--nologo', 'example'], { cwd: work })
        : csharp.build(join(work, 'src/Countersign.Client'), join(work, 'example/Program.cs'), join(work, 'built')));
    },
    run: (work, environment) =>
      isInstalled('dotnet')
        ? exec('dotnet', ['run', '--no-build', '--project', 'example'], { cwd: work, environment })
        : csharp.run(join(work, 'built'), environment),
  },
  'openapi-python-client': {
    needs: ['python3'],
    generate: async (work) => {
      await makeVenv(join(cache, 'openapi-python-client'), `openapi-python-client==${OPENAPI_PYTHON_CLIENT}`);
      const options = ['--path', documentFile, '--meta', 'none', '--output-path', join(work, 'countersign_client')];
      await exec(python('openapi-python-client'), ['-m', 'openapi_python_client', 'generate', ...options]);
    },
    compile: (work) => exec(python('openapi-python-client'), ['-c', IMPORT_ALL], { cwd: work }),
    run: (work, environment) => runPython('openapi-python-client', work, environment),
  },
  'openapi-typescript': {
    needs: [],
    generate: async (work) => {
      await installNpmTools();
      await exec(npmTool('openapi-typescript'), [documentFile, '--output', join(work, 'client/api.ts')]);
    },
    compile: compileTypeScript,
    run: runTypeScript,
  },
  'hey-api': {
    needs: [],
    generate: async (work) => {
      await installNpmTools();
      await exec(npmTool('openapi-ts'), ['--input', documentFile, '--output', join(work, 'client')], { cwd: npmTools });
    },
    compile: compileTypeScript,
    run: runTypeScript,
  },
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(GENERATORS);
const unknown = names.filter((name) => GENERATORS[name] === undefined);
if (unknown.length > 0) {
  process.stderr.write(`Unknown: ${unknown.join(', ')}. Generators: ${Object.keys(GENERATORS).join(', ')}.\n`);
  process.exit(2);
}

/** @type {import('./mocha/results.mjs').TestResults} */
const results = { passed: [], failed: [], skipped: [], flaky: [] };
mkdirSync(cache, { recursive: true });
const postgres = await startTestPostgres();
process.env[TEST_POSTGRES_VARIABLE] = postgres.connectionString;
try {
  const host = await createTestHost();
  try {
    await host.deploy(MODEL);
    writeFileSync(documentFile, await (await fetch(`${host.url}/openapi/v1.json`)).text());
    writeFileSync(artifactFile, ARTIFACT);
    for (const name of names) await testGenerator(name, host);
  } finally {
    await host.close();
  }
} finally {
  await postgres.stop();
}
if (process.env['COUNTERSIGN_TEST_RESULTS'] !== undefined)
  appendFileSync(process.env['COUNTERSIGN_TEST_RESULTS'], `${JSON.stringify(results)}\n`);
process.stdout.write(`\n${formatResults(results)}${lastLine(results)}\n`);
process.exitCode = results.failed.length > 0 ? 1 : 0;

/** @param {string} name @param {import('@countersign/testing').TestHost} host */
async function testGenerator(name, host) {
  const generator = GENERATORS[name];
  const work = join(cache, 'work', name);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const steps = [
    ['generate a client', generator.needs, () => generator.generate(work)],
    ['compile the client', generator.compileNeeds ?? [], () => generator.compile(work)],
    ['start, upload and approve', [], () => useClient(generator, work, host)],
  ];
  let reason = '';
  for (const [title, needs, step] of steps) {
    const result = { file: 'scripts/generated-clients.mjs', title: `${name} should ${title}` };
    const missing = needs.filter((program) => !isInstalled(program));
    if (missing.length > 0) reason = `${missing.join(', ')} is not installed`;
    if (reason !== '') {
      results.skipped.push(result);
      process.stdout.write(`  - ${result.title}: skipped, ${reason}\n`);
      continue;
    }
    const begin = performance.now();
    try {
      await step();
      results.passed.push(result);
      process.stdout.write(`  ✔ ${result.title} (${Math.round((performance.now() - begin) / 1000)} s)\n`);
    } catch (error) {
      results.failed.push({ ...result, error: error.message });
      process.stdout.write(`  ✘ ${result.title}\n${error.message}\n`);
      reason = 'the step before failed';
    }
  }
}

/** Runs the program of a generator, and checks on the server what it did. */
async function useClient(generator, work, host) {
  const output = await generator.run(work, {
    COUNTERSIGN_URL: host.url,
    OPERATOR_TOKEN: await host.token('operator', { subject: 'ann' }),
    APPROVER_TOKEN: await host.token('approver', { subject: 'bob' }),
    WORKFLOW_ID,
    ARTIFACT_FILE: artifactFile,
  });
  const runId = output.trim().split('\n').at(-1) ?? '';
  const client = await host.client('operator', 'ann');
  const { outcome, startedBy } = await client.getRun({ runId });
  if (outcome !== 'completed' || startedBy !== 'ann') throw new Error(`The run of ${startedBy} is ${outcome}.`);
  const artifact = await client.downloadArtifact({ runId, artifactName: 'notes.txt' });
  const text = new TextDecoder().decode(await artifact.bytes());
  if (text !== ARTIFACT) throw new Error(`The artifact is ${JSON.stringify(text)}.`);
}

async function openApiGenerator(name, output, properties = '') {
  if (!existsSync(jar)) {
    // With the mirrors that Maven is configured to use.
    const artifact = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`;
    await exec('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${cache}`]);
  }
  const options = ['--additional-properties', properties, '--git-user-id', 'countersign', '--git-repo-id', 'client'];
  const given = properties === '' ? options.slice(2) : options;
  await exec('java', ['-jar', jar, 'generate', '-i', documentFile, '-g', name, '-o', output, ...given]);
}

async function makeVenv(directory, ...packages) {
  if (!existsSync(directory)) await exec('python3', ['-m', 'venv', directory]);
  await exec(join(directory, 'bin/pip'), ['install', '--quiet', ...packages]);
}

function python(venv) {
  return join(cache, venv, 'bin/python');
}

function runPython(name, work, environment) {
  return exec(python(name), [join(programs, name, 'main.py')], {
    cwd: work,
    environment: { ...environment, PYTHONPATH: work },
  });
}

async function installNpmTools() {
  const installed = join(npmTools, 'installed.json');
  const wanted = JSON.stringify({ private: true, dependencies: NPM_PACKAGES });
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return;
  mkdirSync(npmTools, { recursive: true });
  // Without a package.json npm would install into the nearest folder above that has one: the repository.
  writeFileSync(join(npmTools, 'package.json'), wanted);
  await exec('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: npmTools });
  // Written last: an installation that was interrupted is done again.
  writeFileSync(installed, wanted);
}

function npmTool(name) {
  return join(npmTools, 'node_modules/.bin', name);
}

/** Compiles the client and its program strictly, as CommonJS: the generators import files without their extension. */
async function compileTypeScript(work) {
  await installNpmTools();
  copyProgram(work.split('/').at(-1), work);
  const options = {
    strict: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'commonjs',
    moduleResolution: 'node10',
    types: ['node'],
    typeRoots: [join(npmTools, 'node_modules/@types')],
    paths: { 'openapi-fetch': [join(npmTools, 'node_modules/openapi-fetch')] },
    outDir: 'built',
    rootDir: '.',
  };
  writeFileSync(join(work, 'package.json'), JSON.stringify({ type: 'commonjs' }));
  writeFileSync(
    join(work, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['main.ts', 'client'] }),
  );
  await exec(npmTool('tsc'), ['--project', work]);
}

function runTypeScript(work, environment) {
  return exec(process.execPath, [join(work, 'built/main.js')], {
    environment: { ...environment, NODE_PATH: join(npmTools, 'node_modules') },
  });
}

function copyProgram(name, directory) {
  cpSync(join(programs, name), directory, { recursive: true });
}

function isInstalled(program) {
  return (process.env['PATH'] ?? '').split(delimiter).some((directory) => existsSync(join(directory, program)));
}

/** Runs a program to its end and returns what it printed. @returns {Promise<string>} */
function exec(program, given, { cwd = root, environment = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, given, { cwd, env: { ...process.env, ...environment } });
    let [output, all] = ['', ''];
    child.stdout.on('data', (chunk) => ((output += chunk), (all += chunk)));
    child.stderr.on('data', (chunk) => (all += chunk));
    child.on('error', reject);
    child.on('close', (code, signal) =>
      code === 0
        ? resolve(output)
        : reject(new Error(`${program} ended with ${signal ?? code}:\n${all.split('\n').slice(-40).join('\n')}`)),
    );
  });
}
