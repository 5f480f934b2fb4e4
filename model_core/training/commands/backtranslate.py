"""`python -m model_core backtranslate`: synthetic pairs, of which a checkpoint writes one side."""

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from model_core.commands.options import add_model, add_strategy, model_folder, strategy_said
from model_core.errors import CorpusError, VisualiserError
from model_core.training.commands.evaluate import trained_config
from model_core.values.recipe import Strategy

if TYPE_CHECKING:
    from model_core.checkpoints.store import Checkpoint
    from model_core.training.data.synthetic import Monolingual

AT_ONCE = 1024  # sentences that are translated before anything is written
_Translate = Callable[[Sequence[str], int], Sequence[str]]  # sentences, and the number of the first


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Give the program this command."""
    parser = commands.add_parser(
        "backtranslate", help="let a checkpoint translate sentences, for another to learn from"
    )
    add_model(parser)
    add = parser.add_argument
    add(
        "--texts",
        type=Path,
        nargs="+",
        required=True,
        help="files of sentences in the language that the checkpoint reads, or folders with a "
        "train.tsv",
    )
    add("--column", type=int, default=0, help="of the sentences, counted from 0 (default: 0)")
    add(
        "--data",
        type=Path,
        required=True,
        help="folder with train.tsv and valid.tsv: sentences that are in them, or close to those "
        "of valid.tsv, are left out",
    )
    add("--out", type=Path, required=True, help="the file; a run that was killed goes on in it")
    add(
        "--known",
        action="store_true",
        help="translate those of train.tsv too: further wordings for what it has",
    )
    add(
        "--back",
        metavar="MODEL",
        help="a checkpoint that translates back; --least says how like the sentence that must be",
    )
    add("--least", type=float, default=0.0, help="chrF of the way there and back, 0 to 100")
    add_strategy(parser)
    parser.set_defaults(run=run)


def run(parsed: argparse.Namespace) -> int:
    """0 when the file is complete."""
    from model_core.checkpoints.snapshots import find_folder
    from model_core.checkpoints.store import open_checkpoint
    from model_core.training.data.corpus import read_corpus
    from model_core.training.data.synthetic import read_monolingual

    if parsed.column < 0:
        raise CorpusError("Columns are counted from 0; give 0 or more.")
    if not 0 <= parsed.least <= 100 or bool(parsed.back) != bool(parsed.least):
        raise VisualiserError(
            "--back names the checkpoint that translates back, and --least, from above 0 to 100, "
            "how like the sentence that must be. Give both or neither."
        )
    strategy = strategy_said(parsed)
    checkpoint = open_checkpoint(model_folder(parsed))
    back = open_checkpoint(find_folder(parsed.back)) if parsed.back else None
    config = trained_config(checkpoint)
    if config.is_of_strings:
        raise VisualiserError(f"{checkpoint.name} does not translate. Name one that does.")
    corpus = read_corpus(parsed.data, config)
    held_out = [example.source for example in (*corpus.valid, *corpus.held_out)]
    known = () if parsed.known else [source for source, _ in corpus.train]
    limit = checkpoint.config.max_positions
    found = read_monolingual(
        parsed.texts,
        parsed.column,
        known,
        held_out,
        lambda text: len(checkpoint.source_tokenizer.source_ids(text)) <= limit,
    )
    for why, lines in found.left_out.items():
        print(f"{lines:,} lines left out: {why}")
    origin = f"{config.target_language} by {_named(checkpoint)}, {_words(strategy)}"
    if back:
        origin += f"; {_named(back)} leads back with chrF {parsed.least:g} or more"
    columns = config.source_column, config.target_column
    file = _File(parsed.out, found, columns, f"{config.source_language} of {{}}, {origin}")
    _write(file, _translating(checkpoint, strategy), _leading_back(back, parsed.least))
    return 0


@dataclass(frozen=True, eq=False)
class _File:
    """The file that is written; beside it, as `.begun`, what there is of it before its end.

    There every sentence has its line, so that it shows how far the work is; those without
    a translation go at the end.
    """

    path: Path
    texts: "Monolingual"
    columns: tuple[int, int]  # of what was given and of what a model wrote
    origin: str  # what is said of each pair, with {} for the name of its text

    @property
    def beginning(self) -> Path:
        return self.path.with_name(self.path.name + ".begun")

    def line(self, number: int, translation: str) -> str:
        """The line of a sentence."""
        sentence, text = self.texts.sentences[number]
        cells = ["" for _ in range(max(self.columns) + 1)]
        for column, cell in zip(self.columns, (sentence, translation), strict=True):
            cells[column] = " ".join(cell.split())
        return "\t".join((*cells, self.origin.replace("{}", text, 1))) + "\n"

    def begun(self) -> int:
        """How many sentences an earlier run has done; a line that it broke off is cut."""
        if not self.beginning.exists():
            return 0
        whole, _, broken = self.beginning.read_bytes().rpartition(b"\n")
        if broken:
            os.truncate(self.beginning, len(whole) + 1 if whole else 0)
        lines = whole.decode("utf-8").split("\n") if whole else []
        for number, line in enumerate(lines):
            cells = line.split("\t")
            known = number < len(self.texts.sentences) and len(cells) > max(self.columns)
            if not known or line + "\n" != self.line(number, cells[self.columns[1]]):
                raise CorpusError(
                    f"{self.beginning} was begun with other sentences or another model: line "
                    f"{number + 1} differs. Remove it to begin anew."
                )
        return len(lines)

    def add(self, first: int, translations: Sequence[str]) -> None:
        """Append the lines of the sentences from `first` on."""
        lines = (self.line(first + number, text) for number, text in enumerate(translations))
        with self.beginning.open("ab") as file:
            file.write("".join(lines).encode())
            file.flush()
            os.fsync(file.fileno())

    def end(self) -> int:
        """Make it the file, without the sentences that have no translation; its lines."""
        from model_core.atomic import replace_file

        lines = self.beginning.read_text("utf-8").splitlines(keepends=True)
        kept = [line for line in lines if line.split("\t")[self.columns[1]]]
        replace_file(self.path, "".join(kept).encode())
        self.beginning.unlink()
        return len(kept)


def _write(file: _File, translate: _Translate, leads_back: Callable[..., Iterator[bool]]) -> None:
    from tqdm import tqdm

    sentences = [sentence for sentence, _ in file.texts.sentences]
    file.path.parent.mkdir(parents=True, exist_ok=True)
    done = file.begun()
    with tqdm(total=len(sentences), initial=done, unit="sentence", dynamic_ncols=True) as bar:
        while done < len(sentences):
            some = sentences[done : done + AT_ONCE]
            written = ["" if "\ufffd" in text else text for text in translate(some, done)]
            kept = leads_back(some, written)
            file.add(done, [text if keep else "" for text, keep in zip(written, kept, strict=True)])
            done += len(some)
            bar.update(len(some))
    kept_lines = file.end()
    print(f"{file.path} holds {kept_lines:,} pairs; {len(sentences) - kept_lines:,} were left out.")


def _translating(checkpoint: "Checkpoint", strategy: Strategy) -> _Translate:
    """What translates sentences as the strategy says; each draws with a seed of its own."""
    from model_core.decoding.sampling import each_its_own, sample
    from model_core.training.evaluation.scores import translate

    def drawn(sentences: Sequence[str], first: int) -> Sequence[str]:
        source, target = checkpoint.tokenizers
        strategies = each_its_own(strategy, first, len(sentences))
        found = sample(
            checkpoint.model, [source.source_ids(text) for text in sentences], strategies
        )
        return [target.decode(ids) for ids in found]

    def searched(sentences: Sequence[str], _: int) -> Sequence[str]:
        width = strategy.width if strategy.kind == "beam" else 1
        return translate(checkpoint.model, checkpoint.tokenizers, sentences, width)

    return drawn if strategy.kind == "sample" else searched


def _leading_back(back: "Checkpoint | None", least: float) -> Callable[..., Iterator[bool]]:
    """What says of sentences and their translations whether to keep each."""
    from model_core.training.evaluation.metrics import chrf_score
    from model_core.training.evaluation.scores import translate

    def keep(sentences: Sequence[str], written: Sequence[str]) -> Iterator[bool]:
        if back is None:
            yield from map(bool, written)
            return
        again = translate(back.model, back.tokenizers, written)
        for sentence, text in zip(sentences, again, strict=True):
            yield chrf_score([text], [[sentence]]).value >= least

    return keep


def _named(checkpoint: "Checkpoint") -> str:
    """The name of a checkpoint with the beginning of its weights' checksum."""
    return f"{checkpoint.name} ({checkpoint.fingerprint})"


def _words(strategy: Strategy) -> str:
    """How tokens were chosen."""
    if strategy.kind == "beam":
        return f"beam {strategy.width}"
    if strategy.kind == "greedy":
        return "greedy"
    words = ["drawn"]
    if strategy.temperature != 1:
        words.append(f"temperature {strategy.temperature:g}")
    if strategy.top_k:
        words.append(f"top {strategy.top_k}")
    if strategy.top_p < 1:
        words.append(f"top p {strategy.top_p:g}")
    return ", ".join((*words, f"seed {strategy.seed}"))
