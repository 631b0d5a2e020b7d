import type { Plugin } from '@countersign/core';
import { definePlugin, ToolContribution, type ToolOutput } from '@countersign/core/plugin';
import { injectable } from 'inversify';
import { z } from 'zod';

/** Returns a plugin with two read-only tools: one with an argument, and one without. */
export function shelfPlugin(): Plugin {
  const defineShelfTool = (name: string, input: z.ZodObject) => {
    class ShelfTool implements ToolContribution {
      readonly name = name;
      readonly description = `Does ${name}.`;
      readonly input = input;
      readonly output = z.json();
      readonly effect = 'read';
      readonly reversible = true;
      readonly unknownOutcome = 'repeat';

      call(): Promise<ToolOutput> {
        return Promise.resolve({ content: { did: name } });
      }
    }
    injectable()(ShelfTool);
    return ShelfTool;
  };
  return definePlugin({
    id: 'shelf',
    register({ contribute }) {
      contribute(ToolContribution, defineShelfTool('shelf.read', z.strictObject({ note: z.string() })));
      contribute(ToolContribution, defineShelfTool('shelf.list', z.strictObject({})));
    },
  });
}
