// Replaces the application in the fallback Electron. Like `electron DIRECTORY`, it loads the files given with `-r`, and
// starts the application in the given directory.
const { app } = require('electron');
const { readFileSync, realpathSync } = require('node:fs');
const { join, resolve } = require('node:path');

const commandLine = process.argv.slice(1);
const preloadedFiles = [];
let directory;
for (
  let argument = commandLine.shift();
  argument !== undefined && directory === undefined;
  argument = commandLine.shift()
) {
  if (argument === '-r') preloadedFiles.push(commandLine.shift());
  else if (!argument.startsWith('-')) directory = realpathSync(resolve(argument));
}
for (const file of preloadedFiles) require(resolve(file));
if (directory === undefined)
  throw new Error('The directory of the application is missing. Usage: electron [-r FILE] DIRECTORY');
const { main, name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
app.setName(name);
app.setVersion(version);
app.setAppPath(directory);
require(join(directory, main));
