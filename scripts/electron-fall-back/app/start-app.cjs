// What the fall-back Electron has in place of the application that came with it: starts the application that the command line
// names, after what `-r` names, as `electron DIRECTORY` does.
const { app } = require('electron');
const { readFileSync, realpathSync } = require('node:fs');
const { join, resolve } = require('node:path');

const words = process.argv.slice(1);
const required = [];
let directory;
for (let word = words.shift(); word !== undefined && directory === undefined; word = words.shift()) {
  if (word === '-r') required.push(words.shift());
  else if (!word.startsWith('-')) directory = realpathSync(resolve(word));
}
for (const file of required) require(resolve(file));
if (directory === undefined) throw new Error('Which application? electron [-r FILE] DIRECTORY');
const { main, name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
app.setName(name);
app.setVersion(version);
app.setAppPath(directory);
require(join(directory, main));
