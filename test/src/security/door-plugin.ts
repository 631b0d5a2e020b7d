import { door } from '../settings/door.spec.support.js';

/** A plugin with secrets in a list, in a map and alone. Loaded by the `countersign` command, by the path of this file. */
export const doorPlugin = door('test').plugin;
