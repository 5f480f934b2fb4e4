"""The models in processes of their own, on this machine or on others: python -m viz_app --ray."""
