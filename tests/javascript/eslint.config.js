// What is refused in the scripts of the page. Scripts that import each other are refused where the
// files are joined (viz_app/stage/stage.py).

import js from "@eslint/js";

const browser = ["window", "document", "navigator", "localStorage", "performance", "atob", "URL",
  "Blob", "HTMLCanvasElement", "HTMLInputElement", "HTMLSelectElement", "Image", "SVGElement", "SVGSVGElement", "Text", "FormData", "Element", "HTMLElement", "HTMLDetailsElement", "Node", "DOMMatrix", "CustomEvent", "AbortController",
  "MutationObserver", "ResizeObserver", "getComputedStyle", "requestAnimationFrame",
  "cancelAnimationFrame", "setTimeout", "clearTimeout", "URLSearchParams", "TextEncoder", "TextDecoder",
  "ImageData", "btoa", "fetch"];

const inWorker = ["self", "globalThis", "location", "postMessage", "crypto", "Response", "TransformStream",
  "DecompressionStream", "WebAssembly"];

// A text would become HTML: a token that looks like HTML stays a token.
const MARKUP = "innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|unsafeHTML|unsafeSVG|unsafeStatic";
const inTemplates = [
  // But what is only painted on, and what is fetched.
  { selector: "CallExpression[callee.property.name=/^createElement(NS)?$/]:not([arguments.0.value=/^(canvas|script|style)$/])",
    message: "Elements are of templates: see stage/page/html.js." },
  { selector: `:matches(Identifier[name=/^(${MARKUP})$/], ImportSpecifier[imported.name=/^(${MARKUP})$/])`,
    message: "Text enters the page as text nodes only." },
  { selector: "TaggedTemplateExpression[tag.name=/^(html|svg)$/] TemplateElement[value.raw=/(^|\\s)style=/]",
    message: "A policy may forbid the attribute: write .style=${...}." },
];

const DRAWS = /^(update|render|draw|paint|say)([A-Z]|$)/;
const CHOSEN = /^(state|choices|look|places)$/;
const CHANGES = /^(push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear)$/; // what it is called on

/** The name of a function: its own, or of what it is the value of. */
const nameOf = (node) => node.id?.name ?? node.parent.key?.name ?? node.parent.id?.name ?? "";
/** Whether a function runs while the one around it does, as what `map` is given. */
const runsWithin = ({ parent }) => parent.type === "CallExpression" && parent.callee.type === "MemberExpression";
/** Whether what is written to is a part of what is chosen: `state.run`, `own.look.at`. */
const isChosen = (node) => node?.type === "MemberExpression" && (CHOSEN.test(node.object.name)
  || CHOSEN.test(node.object.property?.name) || isChosen(node.object));

/** What draws changes no state: that is for actions, and for `settle` of a room. */
const drawingChangesNothing = {
  create(context) {
    const within = []; // of the functions around: whether each draws
    const report = (node, message) => { if (within.at(-1)) context.report({ node, message }); };
    const enter = (node) => within.push(DRAWS.test(nameOf(node)) || (runsWithin(node) && within.at(-1)));
    const functions = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];
    return {
      ...Object.fromEntries(functions.flatMap((type) =>
        [[type, enter], [`${type}:exit`, () => within.pop()]])),
      AssignmentExpression(node) {
        const parts = node.left.elements ?? [node.left];
        if (parts.some(isChosen)) report(node, "What draws changes nothing that is chosen: see Room.settle.");
      },
      UpdateExpression(node) {
        if (isChosen(node.argument)) report(node, "What draws changes nothing that is chosen: see Room.settle.");
      },
      CallExpression(node) {
        const { callee, arguments: [first] } = node;
        const { object: { name: of } = {}, property: { name: does } = {} } = callee;
        const changes = (of === "Object" && does === "assign"
          && (CHOSEN.test(first.name) || CHOSEN.test(first.property?.name)))
          || (CHANGES.test(does) && isChosen(callee.object));
        if (changes || (of === "actions" && !/^can/.test(does))) {
          report(node, "What draws calls no action and changes nothing that is chosen: see Room.settle.");
        }
        if (/question|trees|maps|inquiry/.test(of ?? callee.object?.property?.name) && /^(of|ask|inquire)$/.test(does)) {
          report(node, "What draws asks nothing: see Room.settle.");
        }
      },
    };
  },
};

const TEMPLATES = { group: ["**/vendor/*"], message: "What draws with templates imports from stage/page/html.js." };

export default [
  { ignores: ["viz_app/stage/vendor/**"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2023, sourceType: "module",
      globals: Object.fromEntries(browser.map((name) => [name, "readonly"])) },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "eqeqeq": "error",
      "no-restricted-imports": ["error", { patterns: [TEMPLATES] }],
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
    files: ["viz_app/rooms/**", "viz_app/stage/{page,draw,keep,picture,reach,asking,lesson,making}/**", "viz_app/stage/*.js"],
    plugins: { stage: { rules: { "drawing-changes-nothing": drawingChangesNothing } } },
    rules: {
      "stage/drawing-changes-nothing": "error",
      "no-restricted-syntax": ["error", ...inTemplates, ...["left", "left.object", "left.object.object"].flatMap(
        (of) => ["name", "property.name"].map((name) => (
          { selector: `AssignmentExpression[${of}.object.${name}='state']`,
            message: "State changes through actions only." })))],
    },
  },
  {
    files: ["viz_app/live/*.js"],
    languageOptions: { globals: Object.fromEntries(inWorker.map((name) => [name, "readonly"])) },
  },
  { files: ["viz_app/stage/**"], rules: { "no-restricted-imports": ["error", { patterns: [TEMPLATES,
    { group: ["**/rooms/*/**"], message: "What rooms share knows no room." }] }] } },
  { files: ["viz_app/stage/page/html.js"], rules: { "no-restricted-imports": "off" } },
];
