// What is refused in the scripts of the page. Scripts that import each other are refused where the
// files are joined (viz_app/stage/stage.py).

import js from "@eslint/js";

const browser = ["window", "document", "navigator", "localStorage", "performance", "atob", "URL",
  "Blob", "HTMLCanvasElement", "HTMLInputElement", "HTMLSelectElement", "Image", "SVGElement", "SVGSVGElement", "Text", "FormData", "Element", "HTMLElement", "HTMLDetailsElement", "Node", "DOMMatrix", "CustomEvent", "AbortController",
  "MutationObserver", "ResizeObserver", "getComputedStyle", "requestAnimationFrame",
  "cancelAnimationFrame", "setTimeout", "clearTimeout", "URLSearchParams", "TextEncoder", "TextDecoder",
  "ImageData", "btoa", "fetch"];

// A text would become HTML: a token that looks like HTML stays a token.
const MARKUP = "innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|unsafeHTML|unsafeSVG|unsafeStatic";
const inTemplates = [
  { selector: `:matches(Identifier[name=/^(${MARKUP})$/], ImportSpecifier[imported.name=/^(${MARKUP})$/])`,
    message: "Text enters the page as text nodes only." },
  { selector: "TaggedTemplateExpression[tag.name=/^(html|svg)$/] TemplateElement[value.raw=/(^|\\s)style=/]",
    message: "A policy may forbid the attribute: write .style=${...}." },
];

export default [
  { ignores: ["viz_app/stage/vendor/**"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2023, sourceType: "module",
      globals: Object.fromEntries(browser.map((name) => [name, "readonly"])) },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "eqeqeq": "error",
      "no-restricted-imports": ["error", { patterns: [{ group: ["**/vendor/*"],
        message: "What draws with templates imports from stage/page/html.js." }] }],
      "no-restricted-syntax": ["error", ...inTemplates,
        { selector: "Literal[regex.pattern=/\\(\\?<[=!]/]",
          message: "Safari before 16.4 refuses a whole script for a look-behind." }],
      "no-duplicate-imports": "error",
      "no-self-compare": "error",
      "no-unused-vars": ["error", { args: "after-used", argsIgnorePattern: "^_",
        varsIgnorePattern: "^_", caughtErrors: "all" }],
      "no-use-before-define": ["error", { functions: false, variables: false }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["viz_app/rooms/**", "viz_app/stage/{page,draw,keep}/**", "viz_app/stage/*.js"],
    rules: {
      "no-restricted-syntax": ["error", ...inTemplates, ...["left", "left.object", "left.object.object"].flatMap(
        (of) => ["name", "property.name"].map((name) => (
          { selector: `AssignmentExpression[${of}.object.${name}='state']`,
            message: "State changes through actions only." })))],
    },
  },
  { files: ["viz_app/stage/page/html.js"], rules: { "no-restricted-imports": "off" } },
];
