"""What of tests/model_core runs by the array module, and which tests there cannot, and why."""

FOLDER = "tests/model_core"
# Not training/ and imports/, which a browser never comes to, nor commands/ and checkpoints/, which
# are about files: reading them is asked by what opens a checkpoint here.
FOLDERS = ("transformer", "decoding", "studies", "models", "values", "test_tokenizer.py")
_NORMS = "layer_norm_takes_the_features_of_a_token_and_batch_norm_a_feature_of_all"

LEFT_OUT: dict[str, tuple[str, ...]] = {
    "models of other libraries, which a browser never opens": (
        "models/hub/",
        "models/test_loading.py",
        "models/test_download.py",
        "models/test_every_model.py::test_every_kind_of_edit_is_tried_in_some_model",
        "models/test_bringing.py",
    ),
    "tokenizers of other kinds, which a browser does not read": (
        "test_tokenizer.py::test_what_a_vocabulary_of_words_lacks_is_its_unknown_token",
        "test_tokenizer.py::test_special_tokens_cannot_be_typed_in_words_either",
        "test_tokenizer.py::test_a_word_without_any_token_is_refused",
        "test_tokenizer.py::test_special_tokens_that_a_tokenizer_does_not_have_are_refused",
        "test_tokenizer.py::test_added_tokens_of_a_file_from_elsewhere_cannot_be_typed_either",
        "test_tokenizer.py::test_a_vocabulary_without_room_for_a_piece_is_refused",
        "decoding/test_beginning.py::test_a_word_that_the_vocabulary_lacks_is_named",
    ),
    "how pieces came about, which a server alone says": ("studies/test_assembly.py",),
    "compares with torch's own layers": (
        "transformer/test_transformer.py::test_outputs_and_weights_are_those_of_torch",
        "transformer/test_attention.py::test_outputs_and_weights_of_every_head_are_those_of_torch",
        f"studies/test_norms.py::test_{_NORMS}",
    ),
    "gradients, dropout while training, and the seeds of torch": (
        "transformer/test_transformer.py::test_rows_recorded_while_training_sum_to_one",
        "transformer/test_transformer.py::test_a_source_of_pads_alone_gets_zeros_and_finite",
        "transformer/test_attention.py::test_a_row_without_an_allowed_key_is_zeros_and_has",
        "transformer/test_attention.py::test_hard_attention_trains_with_the_gradient_of_soft",
        "transformer/test_attention.py::test_weights_are_recorded_before_dropout",
        "transformer/test_fast_steps.py::test_dropout_drops_while_training",
        "transformer/test_fast_steps.py::test_a_copy_and_other_weights_are_the_model_s_own",
        "studies/test_spread.py::test_the_slope_is_what_the_largest_weight_gains",
        "studies/test_positions.py::test_a_table_for_comparison_disturbs_no_random_numbers",
        "decoding/test_beam.py::test_searching_leaves_the_model_as_it_was",
    ),
    "hooks, threads, devices, and views of single numbers, which NumPy copies": (
        "transformer/test_fast_steps.py::test_a_hook_on_a_model_that_is_not_made_fast_is_called",
        "transformer/test_fast_steps.py::test_a_model_moved_to_another_device_computes_there",
        "decoding/test_library.py::test_a_library_sets_how_many_threads_torch_uses",
        "decoding/test_cache.py::test_a_view_counts_for_all_that_it_keeps_alive",
    ),
}


def places() -> list[str]:
    """What pytest is given: the folders, without what cannot even be imported."""
    unread = ("models/hub", "models/test_loading.py", "models/test_download.py")
    return [
        *(f"{FOLDER}/{one}" for one in FOLDERS),
        *(f"--ignore={FOLDER}/{one}" for one in unread),
    ]
