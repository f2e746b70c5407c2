/** A note that holds everything people write in Markdown, once. */
export const EVERYTHING_NOTE = `# Everything

A paragraph with **bold**, *italic*, ~~struck~~, ==marked==, \`code\`, a [site](https://example.com), a [heading](#tables) and a
footnote[^1]. Another one[^long], and the first again[^1]. It costs $5 and $10.

> [!note]
> GitHub writes notes so, with *marks* and a list:
> - one
> - two

> [!warning]- Folded *warning*
> What is folded away.

> [!tip]+ A tip with a task
> - [ ] water the roses

> [!bug] Nested
> > [!danger]
> > Deep
>
> End.

> A plain quote
> of two lines.

## Tasks

- [x] done
- [ ] to do
  - [ ] within
1. first
2. second

## Tables

| Day | Distance | What happened on the way |
|:--|--:|:-:|
| Saturday | 14 km | rain, then **sun** |
| Sunday | 9 km | \`a \\| b\` |

| One | Two | Three | Four | Five | Six | Seven | Eight | Nine | Ten |
|---|---|---|---|---|---|---|---|---|---|
| a long cell | a long cell | a long cell | a long cell | a long cell | a long cell | a long cell | a long cell | a long cell | last cell |

## Formulas

Within a line: $e^{i\\pi} + 1 = 0$, and $\\frac{a}{b}$ too.

$$
f(x) = \\int_{-\\infty}^{\\infty} \\hat f(\\xi)\\, e^{2\\pi i \\xi x}\\, d\\xi
\\qquad
\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}
\\quad
\\begin{cases} 1 & x > 0 \\\\ 0 & \\text{else} \\end{cases}
$$

\`\`\`math
\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}
\`\`\`

This is no formula: $\\notacommand{x}$.

## Code

\`\`\`ts
// A comment
export function greet(name: string): string {
  const count = 42;
  return \`Hello, \${name}! ${"word ".repeat(30)}\`;
}
\`\`\`

\`\`\`diff
- before
+ after
\`\`\`

    indented

## Diagram

\`\`\`mermaid
flowchart LR
  A[Idea] --> B{Good?}
  B -->|yes| C[Write it down]
  B -->|no| A
\`\`\`

\`\`\`mermaid
sequenceDiagram
  Ann->>Ben: Hello
  Ben-->>Ann: Hi
\`\`\`

## Scripts

هذه فقرة بالعربية مع كلمة English في الوسط.

- פריט ראשון
- פריט שני

> [!info] הערה
> טקסט בעברית.

日本語の段落。絵文字 👩‍👩‍👧‍👦 🎉 と漢字。

| 名前 | 値 |
|---|---|
| 東京 | 🗼 |

A word without end: ${"Donaudampfschifffahrt".repeat(12)}

---

[^1]: The first footnote, with a [link](https://example.com).
[^long]: The second one.

    It has two paragraphs, and code: \`a\`.
`;
