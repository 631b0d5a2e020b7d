// Tests clients that generators create from the OpenAPI document of a server: generates and compiles each client, and
// runs a small program that uses it to start a run, upload an artifact and approve the run:
// node scripts/generated-clients.mjs [GENERATOR …]
// The generators are downloaded once into node_modules/.cache. A generator is skipped if its language is not installed.
import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestHost, processModel, startTestPostgres, TEST_POSTGRES_VARIABLE } from '@countersign/testing';
import { canInstallCsharpTools, createCsharpTools } from './csharp-tools.mjs';
import { formatResults, formatSummary } from './mocha/results.mjs';

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

const csharpTools = createCsharpTools(cache, join(programs, 'csharp-compiler'), exec);

const IMPORT_ALL_SCRIPT = `
import importlib, pkgutil, countersign_client
for module in pkgutil.walk_packages(countersign_client.__path__, 'countersign_client.'):
    importlib.import_module(module.name)
`;

/**
 * @typedef {object} Generator
 * @property {readonly string[]} needs programs; if one is missing, the generator is skipped
 * @property {readonly string[]} [compileNeeds] programs; if one is missing, the client is only generated
 * @property {(directory: string) => Promise<unknown>} generate
 * @property {(directory: string) => Promise<unknown>} compile
 * @property {(directory: string, environment: Record<string, string>) => Promise<string>} run
 */

/** @type {Readonly<Record<string, Generator>>} */
const GENERATORS = {
  'python': {
    needs: ['mvn', 'java', 'python3'],
    generate: (directory) => runOpenApiGenerator('python', directory, 'packageName=countersign_client'),
    compile: async (directory) => {
      await makeVenv(join(cache, 'python'), '-r', join(directory, 'requirements.txt'));
      await exec(getPython('python'), ['-c', IMPORT_ALL_SCRIPT], { cwd: directory });
    },
    run: (directory, environment) => runPython('python', directory, environment),
  },
  'typescript-fetch': {
    needs: ['mvn', 'java'],
    generate: (directory) => runOpenApiGenerator('typescript-fetch', join(directory, 'client')),
    compile: compileTypeScript,
    run: runTypeScript,
  },
  'go': {
    needs: ['mvn', 'java', 'go'],
    generate: (directory) => runOpenApiGenerator('go', directory, 'packageName=countersign'),
    compile: async (directory) => {
      copyProgram('go', join(directory, 'example'));
      // The tests of the client need more packages and a server.
      rmSync(join(directory, 'test'), { recursive: true });
      await exec('go', ['mod', 'tidy'], { cwd: directory });
      await exec('go', ['vet', './...'], { cwd: directory });
      await exec('go', ['build', '-o', 'example/example', './example'], { cwd: directory });
    },
    run: (directory, environment) => exec('./example/example', [], { cwd: directory, environment }),
  },
  'java': {
    needs: ['mvn', 'java', 'javac'],
    // By default, the client sends an empty list or map for each unset property, which has another meaning.
    generate: (directory) =>
      runOpenApiGenerator('java', directory, 'artifactId=countersign-client,containerDefaultToNull=true'),
    compile: async (directory) => {
      copyProgram('java', join(directory, 'src/main/java'));
      const goals = ['compile', 'dependency:copy-dependencies', '-DincludeScope=runtime'];
      await exec('mvn', ['-q', '-B', '-Dmaven.test.skip=true', ...goals], { cwd: directory });
    },
    run: (directory, environment) =>
      exec('java', ['-cp', ['target/classes', 'target/dependency/*'].join(delimiter), 'Main'], {
        cwd: directory,
        environment,
      }),
  },
  'csharp': {
    needs: ['mvn', 'java'],
    compileNeeds: canInstallCsharpTools ? ['python3'] : ['dotnet'],
    generate: (directory) =>
      runOpenApiGenerator('csharp', directory, 'packageName=Countersign.Client,targetFramework=net8.0'),
    compile: async (directory) => {
      copyProgram('csharp', join(directory, 'example'));
      await (isInstalled('dotnet')
        ? exec('dotnet', ['build', '--nologo', 'example'], { cwd: directory })
        : csharpTools.build(
            join(directory, 'src/Countersign.Client'),
            join(directory, 'example/Program.cs'),
            join(directory, 'built'),
          ));
    },
    run: (directory, environment) =>
      isInstalled('dotnet')
        ? exec('dotnet', ['run', '--no-build', '--project', 'example'], { cwd: directory, environment })
        : csharpTools.run(join(directory, 'built'), environment),
  },
  'openapi-python-client': {
    needs: ['python3'],
    generate: async (directory) => {
      await makeVenv(join(cache, 'openapi-python-client'), `openapi-python-client==${OPENAPI_PYTHON_CLIENT}`);
      const options = [
        '--path',
        documentFile,
        '--meta',
        'none',
        '--output-path',
        join(directory, 'countersign_client'),
      ];
      await exec(getPython('openapi-python-client'), ['-m', 'openapi_python_client', 'generate', ...options]);
    },
    compile: (directory) => exec(getPython('openapi-python-client'), ['-c', IMPORT_ALL_SCRIPT], { cwd: directory }),
    run: (directory, environment) => runPython('openapi-python-client', directory, environment),
  },
  'openapi-typescript': {
    needs: [],
    generate: async (directory) => {
      await installNpmTools();
      await exec(getNpmTool('openapi-typescript'), [documentFile, '--output', join(directory, 'client/api.ts')]);
    },
    compile: compileTypeScript,
    run: runTypeScript,
  },
  'hey-api': {
    needs: [],
    generate: async (directory) => {
      await installNpmTools();
      await exec(getNpmTool('openapi-ts'), ['--input', documentFile, '--output', join(directory, 'client')], {
        cwd: npmTools,
      });
    },
    compile: compileTypeScript,
    run: runTypeScript,
  },
};

const selectedNames = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(GENERATORS);
const unknownNames = selectedNames.filter((name) => GENERATORS[name] === undefined);
if (unknownNames.length > 0) {
  process.stderr.write(
    `Unknown generators: ${unknownNames.join(', ')}. Known generators: ${Object.keys(GENERATORS).join(', ')}.\n`,
  );
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
    for (const name of selectedNames) await testGenerator(name, host);
  } finally {
    await host.close();
  }
} finally {
  await postgres.stop();
}
if (process.env['COUNTERSIGN_TEST_RESULTS'] !== undefined)
  appendFileSync(process.env['COUNTERSIGN_TEST_RESULTS'], `${JSON.stringify(results)}\n`);
process.stdout.write(`\n${formatResults(results)}${formatSummary(results)}\n`);
process.exitCode = results.failed.length > 0 ? 1 : 0;

/** @param {string} name @param {import('@countersign/testing').TestHost} host */
async function testGenerator(name, host) {
  const generator = GENERATORS[name];
  const directory = join(cache, 'work', name);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const steps = [
    ['generate a client', generator.needs, () => generator.generate(directory)],
    ['compile the client', generator.compileNeeds ?? [], () => generator.compile(directory)],
    ['start, upload and approve', [], () => useClient(generator, directory, host)],
  ];
  let skipReason = '';
  for (const [title, needs, step] of steps) {
    const result = { file: 'scripts/generated-clients.mjs', title: `${name} should ${title}` };
    const missingPrograms = needs.filter((program) => !isInstalled(program));
    if (missingPrograms.length > 0) skipReason = `not installed: ${missingPrograms.join(', ')}`;
    if (skipReason !== '') {
      results.skipped.push(result);
      process.stdout.write(`  - ${result.title}: skipped, ${skipReason}\n`);
      continue;
    }
    const startTime = performance.now();
    try {
      await step();
      results.passed.push(result);
      process.stdout.write(`  ✔ ${result.title} (${Math.round((performance.now() - startTime) / 1000)} s)\n`);
    } catch (error) {
      results.failed.push({ ...result, error: error.message });
      process.stdout.write(`  ✘ ${result.title}\n${error.message}\n`);
      skipReason = 'the previous step failed';
    }
  }
}

/** Runs the program of a generator, and checks its run and artifact on the server. */
async function useClient(generator, directory, host) {
  const output = await generator.run(directory, {
    COUNTERSIGN_URL: host.url,
    OPERATOR_TOKEN: await host.token('operator', { subject: 'ann' }),
    APPROVER_TOKEN: await host.token('approver', { subject: 'bob' }),
    WORKFLOW_ID,
    ARTIFACT_FILE: artifactFile,
  });
  const runId = output.trim().split('\n').at(-1) ?? '';
  const client = await host.client('operator', 'ann');
  const { outcome, startedBy } = await client.getRun({ runId });
  if (outcome !== 'completed' || startedBy !== 'ann')
    throw new Error(`Expected a completed run started by ann, but the run started by ${startedBy} is ${outcome}.`);
  const artifact = await client.downloadArtifact({ runId, artifactName: 'notes.txt' });
  const text = new TextDecoder().decode(await artifact.bytes());
  if (text !== ARTIFACT)
    throw new Error(`Expected the artifact ${JSON.stringify(ARTIFACT)}, but it is ${JSON.stringify(text)}.`);
}

async function runOpenApiGenerator(name, output, properties = '') {
  if (!existsSync(jar)) {
    // Downloads the generator with Maven, so that the configured mirrors are used.
    const artifact = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`;
    await exec('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${cache}`]);
  }
  const options = [
    ...(properties === '' ? [] : ['--additional-properties', properties]),
    ...['--git-user-id', 'countersign', '--git-repo-id', 'client'],
  ];
  await exec('java', ['-jar', jar, 'generate', '-i', documentFile, '-g', name, '-o', output, ...options]);
}

async function makeVenv(directory, ...packages) {
  if (!existsSync(directory)) await exec('python3', ['-m', 'venv', directory]);
  await exec(join(directory, 'bin/pip'), ['install', '--quiet', ...packages]);
}

function getPython(venv) {
  return join(cache, venv, 'bin/python');
}

function runPython(name, directory, environment) {
  return exec(getPython(name), [join(programs, name, 'main.py')], {
    cwd: directory,
    environment: { ...environment, PYTHONPATH: directory },
  });
}

async function installNpmTools() {
  const installedFile = join(npmTools, 'installed.json');
  const manifest = JSON.stringify({ private: true, dependencies: NPM_PACKAGES });
  if (existsSync(installedFile) && readFileSync(installedFile, 'utf8') === manifest) return;
  mkdirSync(npmTools, { recursive: true });
  // Without a package.json, npm would install into the nearest parent folder with one, which is the repository.
  writeFileSync(join(npmTools, 'package.json'), manifest);
  await exec('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: npmTools });
  // This file is written last, so that an interrupted installation is repeated.
  writeFileSync(installedFile, manifest);
}

function getNpmTool(name) {
  return join(npmTools, 'node_modules/.bin', name);
}

/**
 * Compiles the client and its program in strict mode, as CommonJS, because the generated files import each other
 * without file extensions.
 */
async function compileTypeScript(directory) {
  await installNpmTools();
  copyProgram(directory.split('/').at(-1), directory);
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
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ type: 'commonjs' }));
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['main.ts', 'client'] }),
  );
  await exec(getNpmTool('tsc'), ['--project', directory]);
}

function runTypeScript(directory, environment) {
  return exec(process.execPath, [join(directory, 'built/main.js')], {
    environment: { ...environment, NODE_PATH: join(npmTools, 'node_modules') },
  });
}

function copyProgram(name, directory) {
  cpSync(join(programs, name), directory, { recursive: true });
}

function isInstalled(program) {
  return (process.env['PATH'] ?? '').split(delimiter).some((directory) => existsSync(join(directory, program)));
}

/**
 * Runs a program until it ends.
 *
 * @returns {Promise<string>} its standard output
 * @throws {Error} if the program fails; the message contains the last lines of its output
 */
function exec(program, args, { cwd = root, environment = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...environment } });
    let [stdout, allOutput] = ['', ''];
    child.stdout.on('data', (chunk) => ((stdout += chunk), (allOutput += chunk)));
    child.stderr.on('data', (chunk) => (allOutput += chunk));
    child.on('error', reject);
    child.on('close', (code, signal) =>
      code === 0
        ? resolve(stdout)
        : reject(new Error(`${program} ended with ${signal ?? code}:\n${allOutput.split('\n').slice(-40).join('\n')}`)),
    );
  });
}
