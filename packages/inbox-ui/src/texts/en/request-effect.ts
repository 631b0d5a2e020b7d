export const requestEffect = {
  call: (tool: string) => `Call ${tool}`,
  onHosts: (hosts: string) => `on ${hosts}`,
  withArguments: (args: string) => `with ${args}`,
  reads: 'It only reads data.',
  irreversible: 'This can’t be undone.',
  reversible: 'This can be undone.',
  task: (workflow: string, title: string) => `Continue the ${workflow} run after “${title}”`,
  taskWith: (workflow: string, steps: string) => `Continue the ${workflow} run with ${steps}`,
  stillNeeded: (n: number) => `once ${n === 1 ? 'one more person approves' : `${n} more people approve`} as well`,
} as const;
