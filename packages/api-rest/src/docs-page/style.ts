/** The style sheet of the documentation page. */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#e4e4e7, #3f3f46); --quiet: light-dark(#71717a, #a1a1aa); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 75rem; padding: 0 1rem; display: grid; grid-template-columns: 14rem 1fr; gap: 2rem;
  font: 1rem/1.5 system-ui, sans-serif; }
nav { position: sticky; top: 0; max-height: 100vh; overflow: auto; padding: 1rem 0; }
nav h2 { font-size: 1rem; margin: 1rem 0 0.25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
a { color: inherit; text-decoration-color: var(--quiet); }
main { min-width: 0; padding-bottom: 4rem; }
h1 small, .notes, .optional { color: var(--quiet); font-weight: normal; }
h1 { margin-top: 2rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; scroll-margin-top: 1rem; }
h3 { font-size: 0.875rem; margin: 1rem 0 0.25rem; text-transform: uppercase; letter-spacing: 0.05em; }
code { font: 0.875rem ui-monospace, monospace; overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; font: 0.875rem/1.5 ui-monospace, monospace; }
section > p { max-width: 45rem; }
details { border: 1px solid var(--line); border-radius: 0.5rem; margin: 0.5rem 0; }
summary { cursor: pointer; padding: 0.5rem 0.75rem; }
summary code { font-weight: 600; margin: 0 0.5rem; }
details > div { border-top: 1px solid var(--line); padding: 0 0.75rem 0.75rem; overflow-x: auto; }
details p { margin: 0.5rem 0; }
.method { display: inline-block; min-width: 4rem; text-align: center; border-radius: 0.25rem; font: 600 0.75rem/1.5rem
  ui-monospace, monospace; background: light-dark(#e4e4e7, #3f3f46); }
.method.get { background: light-dark(#dbeafe, #1e3a8a); }
.method.post { background: light-dark(#dcfce7, #14532d); }
.method.put, .method.patch { background: light-dark(#fef3c7, #713f12); }
.method.delete { background: light-dark(#fee2e2, #7f1d1d); }
.fields { margin: 0.25rem 0; padding-left: 1rem; list-style: none; border-left: 2px solid var(--line); }
.fields .name { font-weight: 600; }
.notes, .optional { font-size: 0.875rem; margin-left: 0.5rem; }
@media (max-width: 48rem) { body { display: block; } nav { position: static; max-height: none; } }
`;
